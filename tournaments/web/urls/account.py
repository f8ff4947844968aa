"""URL patterns of the account pages and of webhooks."""

from django.urls import URLPattern, path

from tournaments.web.pages.account import account, guardian, notices, operator, persons, providers, security
from tournaments.web.pages.exports import calendars
from tournaments.web.pages.webhooks import webhooks

urlpatterns: list[URLPattern] = [
    path("sign-in/", account.sign_in, name="sign_in"),
    path("sign-up/", account.sign_up, name="sign_up"),
    path("sign-out/", account.sign_out, name="sign_out"),
    path("link/<str:secret>/", account.link, name="link"),
    path("password/", account.reset_ask, name="reset_ask"),
    path("reset/<str:uidb64>/<str:token>/", account.ResetView.as_view(), name="reset"),
    path("address/<slug:public_id>/<str:token>/", account.address, name="address"),
    path("guardian/<slug:public_id>/<str:token>/", guardian.guardian, name="guardian"),
    path("account/guardian/", guardian.account_guardian, name="account_guardian"),
    path("account/", account.account, name="account"),
    path("account/address/", account.account_address, name="account_address"),
    path("account/confirm/", account.account_confirm, name="account_confirm"),
    path("account/notices/", notices.account_notices, name="account_notices"),
    path("account/notices/devices/", notices.device_add, name="device_add"),
    path("account/notices/devices/<str:device_id>/<slug:action>/", notices.device_action, name="device_action"),
    path("letters/<slug:public_id>/<slug:kind>/<str:signature>/", notices.unsubscribe, name="unsubscribe"),
    path("account/history/", account.history, name="history"),
    path("account/stream/", account.account_stream, name="account_stream"),
    path("account/calendar/", calendars.account_calendar_link, name="account_calendar_link"),
    path("account/guides/", account.guides_again, name="guides_again"),
    path("account/guides/<slug:name>/", account.guide_read, name="guide_read"),
    path("account/name/", account.account_name, name="account_name"),
    path("account/persons/", persons.persons, name="persons"),
    path("account/persons/<str:person_id>/change/", persons.person_change, name="person_change"),
    path("account/persons/<str:person_id>/remove/", persons.person_remove, name="person_remove"),
    path("claim/<str:entrant_id>/<str:signature>/", persons.claim, name="claim_entry"),
    path("account/security/browsers/", security.browsers_end, name="browsers_end"),
    path("account/security/browsers/<int:pk>/", security.browser_end, name="browser_end"),
    path("account/security/connections/<int:pk>/", providers.provider_disconnect, name="provider_disconnect"),
    path("account/data/", account.account_data, name="account_data"),
    path("account/erase/", account.account_erase, name="account_erase"),
    path("operator/", operator.operator, name="operator"),
    path("account/tokens/", account.token_create, name="token_create"),
    path("account/tokens/<int:pk>/revoke/", account.token_revoke, name="token_revoke"),
    path("account/webhooks/", webhooks.account_webhooks, name="webhooks"),
    path("e/<str:event_id>/staff/webhooks/", webhooks.event_webhooks, name="event_webhooks"),
    path("webhooks/<str:webhook_id>/", webhooks.webhook, name="webhook"),
    path("webhooks/<str:webhook_id>/<slug:action>/", webhooks.webhook_action, name="webhook_action"),
    path(
        "webhooks/<str:webhook_id>/deliveries/<str:delivery_id>/resend/", webhooks.webhook_resend, name="webhook_resend"
    ),
    path("language/", account.set_language, name="set_language"),
    path("theme/", account.set_theme, name="set_theme"),
]
