"""URLs of the API. docs/api.md describes each of them, under the name of its route.

Each operation in `resources` declares its own address.
"""

from django.urls import path, re_path

from tournaments.api.resource import routes
from tournaments.api.resources.account import Account, Tokens
from tournaments.api.resources.announcements import Announcements
from tournaments.api.resources.archive import EventFiles, Verifications
from tournaments.api.resources.bans import Bans
from tournaments.api.resources.bulk import BulkAudits
from tournaments.api.resources.catalogues import CatalogueUploads, OwnCatalogues
from tournaments.api.resources.categories import PrizeCategories
from tournaments.api.resources.checks import EventChecks
from tournaments.api.resources.clubs import Belongings, Clubs, ClubStaff, Conventions
from tournaments.api.resources.disputes import Disputes
from tournaments.api.resources.docs import DocsView, NowhereView, Root, SchemaView
from tournaments.api.resources.drafts import Drafts
from tournaments.api.resources.effects import CatalogueEffects, EffectWords
from tournaments.api.resources.entrants import Entrants
from tournaments.api.resources.entry_invitations import EntryInvitations
from tournaments.api.resources.events import Events, Staff
from tournaments.api.resources.exports import Exports
from tournaments.api.resources.features import FeatureMatches
from tournaments.api.resources.formats import DeckFormats, ListDrafts, Pools
from tournaments.api.resources.imports import Imports
from tournaments.api.resources.invitations import Invitations
from tournaments.api.resources.judging import Calls, DeckChecks, Penalties
from tournaments.api.resources.leagues import Leagues, PlayerBook
from tournaments.api.resources.logs import GameLogs, Logs, Questions
from tournaments.api.resources.matches import Matches
from tournaments.api.resources.pairing_settings import Byes, ForbiddenPairs, PairingInputs, StageSettings
from tournaments.api.resources.papers import Papers
from tournaments.api.resources.payments import Payments, Prices
from tournaments.api.resources.positions import Positions
from tournaments.api.resources.procedures import EntryFees, Prizes, Procedures
from tournaments.api.resources.profiles import Follows, OwnProfiles, Players
from tournaments.api.resources.qualification import Qualification
from tournaments.api.resources.recordings import Recordings
from tournaments.api.resources.registration import Applications, EventQuestions, Registration
from tournaments.api.resources.rounds import Rounds
from tournaments.api.resources.seeds import Seeds
from tournaments.api.resources.stages import Stages
from tournaments.api.resources.standings import Standings
from tournaments.api.resources.teams import Teams
from tournaments.api.resources.transfers import Transfers
from tournaments.api.resources.webhooks import Webhooks

app_name = "api"
urlpatterns = [
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(), name="docs"),
    *routes(
        Root,
        Account,
        Tokens,
        Announcements,
        EventFiles,
        Verifications,
        Bans,
        BulkAudits,
        OwnCatalogues,
        PrizeCategories,
        CatalogueEffects,
        EffectWords,
        CatalogueUploads,
        EventChecks,
        Disputes,
        Drafts,
        Entrants,
        EntryInvitations,
        Events,
        Staff,
        Exports,
        FeatureMatches,
        DeckFormats,
        ListDrafts,
        Pools,
        Imports,
        Invitations,
        Calls,
        Penalties,
        DeckChecks,
        Belongings,
        Clubs,
        ClubStaff,
        Conventions,
        Leagues,
        PlayerBook,
        GameLogs,
        Logs,
        Questions,
        Matches,
        Seeds,
        StageSettings,
        ForbiddenPairs,
        Byes,
        PairingInputs,
        Papers,
        Prices,
        Payments,
        Positions,
        Procedures,
        Prizes,
        EntryFees,
        Players,
        OwnProfiles,
        Follows,
        Qualification,
        Recordings,
        Registration,
        Applications,
        EventQuestions,
        Rounds,
        Stages,
        Standings,
        Teams,
        Transfers,
        Webhooks,
    ),
    # Everything else is a problem document too, not a page. `[\s\S]`, because `.` does not match a newline (`%0A`).
    re_path(r"^[\s\S]*$", NowhereView.as_view({"get": "nowhere"}), name="nowhere"),
]
