"""Addresses of the API. Each is described in docs/api.md."""

from django.urls import path, re_path

from tournaments.api.views import account, docs, entrants, events, logs, matches, rounds

app_name = "api"
urlpatterns = [
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.DocsView.as_view(), name="docs"),
    path("me/", account.MeView.as_view(), name="me"),
    path("tokens/", account.TokensView.as_view(), name="tokens"),
    path("tokens/<int:token_id>/", account.TokenView.as_view(), name="token"),
    path("presets/", events.PresetsView.as_view(), name="presets"),
    path("events/", events.EventsView.as_view(), name="events"),
    path("events/<slug:event_id>/", events.EventView.as_view(), name="event"),
    path("events/<slug:event_id>/steps/", events.StepsView.as_view(), name="steps"),
    path("events/<slug:event_id>/staff/", events.StaffView.as_view(), name="staff"),
    path("events/<slug:event_id>/staff/<slug:account>/<slug:role>/", events.StaffRoleView.as_view(), name="staff_role"),
    path("events/<slug:event_id>/catalogues/", events.CataloguesView.as_view(), name="catalogues"),
    path("events/<slug:event_id>/ledger/", events.LedgerView.as_view(), name="ledger"),
    path("events/<slug:event_id>/ask/", logs.AskView.as_view(), name="ask"),
    path("events/<slug:event_id>/standings/", events.StandingsView.as_view(), name="standings"),
    path("events/<slug:event_id>/entrants/", entrants.EntrantsView.as_view(), name="entrants"),
    path("entrants/<slug:entrant_id>/drop/", entrants.DropView.as_view(), name="drop"),
    path("entrants/<slug:entrant_id>/reinstate/", entrants.ReinstateView.as_view(), name="reinstate"),
    path("entrants/<slug:entrant_id>/check-in/", entrants.CheckInView.as_view(), name="check_in"),
    path("entrants/<slug:entrant_id>/decklist/", entrants.DecklistView.as_view(), name="decklist"),
    path("events/<slug:event_id>/rounds/", rounds.RoundsView.as_view(), name="rounds"),
    path("events/<slug:event_id>/rounds/<int:number>/", rounds.RoundView.as_view(), name="round"),
    path("events/<slug:event_id>/rounds/<int:number>/discard/", rounds.DiscardView.as_view(), name="discard"),
    path("events/<slug:event_id>/rounds/<int:number>/publish/", rounds.PublishView.as_view(), name="publish"),
    path("events/<slug:event_id>/rounds/<int:number>/close/", rounds.CloseView.as_view(), name="close"),
    path("events/<slug:event_id>/rounds/<int:number>/clock/", rounds.ClockView.as_view(), name="clock"),
    path("matches/<slug:match_id>/", matches.MatchView.as_view(), name="match"),
    path("matches/<slug:match_id>/report/", matches.ReportView.as_view(), name="report"),
    path("matches/<slug:match_id>/confirm/", matches.ConfirmView.as_view(), name="confirm"),
    path("matches/<slug:match_id>/contest/", matches.ContestView.as_view(), name="contest"),
    path("matches/<slug:match_id>/result/", matches.ResultView.as_view(), name="result"),
    path("matches/<slug:match_id>/ruling/", matches.RulingView.as_view(), name="ruling"),
    path("matches/<slug:match_id>/extension/", matches.ExtensionView.as_view(), name="extension"),
    path("matches/<slug:match_id>/games/<int:number>/logs/", logs.GameLogsView.as_view(), name="game_logs"),
    path("logs/<slug:log_id>/", logs.LogView.as_view(), name="log"),
    path("logs/<slug:log_id>/board/", logs.BoardView.as_view(), name="board"),
    path("logs/<slug:log_id>/legal/", logs.LegalView.as_view(), name="legal"),
    path("logs/<slug:log_id>/document/", logs.DocumentView.as_view(), name="document"),
    re_path(r"^.*$", docs.NowhereView.as_view(), name="nowhere"),
]
