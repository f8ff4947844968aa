"""Addresses of the account pages."""

from django.urls import URLPattern, path

from tournaments.web.views import account

urlpatterns: list[URLPattern] = [
    path("sign-in/", account.sign_in, name="sign_in"),
    path("sign-up/", account.sign_up, name="sign_up"),
    path("sign-out/", account.sign_out, name="sign_out"),
    path("link/<str:secret>/", account.link, name="link"),
    path("account/", account.account, name="account"),
    path("account/name/", account.account_name, name="account_name"),
    path("account/data/", account.account_data, name="account_data"),
    path("account/erase/", account.account_erase, name="account_erase"),
    path("account/tokens/", account.token_create, name="token_create"),
    path("account/tokens/<int:pk>/revoke/", account.token_revoke, name="token_revoke"),
    path("language/", account.set_language, name="set_language"),
    path("theme/", account.set_theme, name="set_theme"),
]
