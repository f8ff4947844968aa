"""URL patterns of the pages that allauth serves, under the names by which it looks them up: they have no namespace."""

from django.urls import URLPattern, path

from tournaments.web.pages.account import account, passkeys, providers, second_factor, security

urlpatterns: list[URLPattern] = [
    path("sign-in/code/", second_factor.SecondFactorView.as_view(), name="mfa_authenticate"),
    path("sign-in/passkey/", passkeys.PasskeySignInView.as_view(), name="mfa_login_webauthn"),
    path("openid/<slug:provider_id>/", providers.provider_sign_in, name="openid_connect_login"),
    path("openid/<slug:provider_id>/back/", providers.provider_callback, name="openid_connect_callback"),
    path("account/security/", security.security, name="mfa_index"),
    path("account/security/password/", security.ChangePasswordView.as_view(), name="account_change_password"),
    path("account/security/password/new/", security.SetPasswordView.as_view(), name="account_set_password"),
    path("account/security/confirm/", security.ConfirmView.as_view(), name="account_reauthenticate"),
    path("account/security/confirm/code/", second_factor.ConfirmCodeView.as_view(), name="mfa_reauthenticate"),
    path(
        "account/security/confirm/passkey/",
        passkeys.ConfirmPasskeyView.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    path("account/security/app/", second_factor.AddAppView.as_view(), name="mfa_activate_totp"),
    path("account/security/app/remove/", second_factor.remove_app, name="mfa_deactivate_totp"),
    path("account/security/codes/", second_factor.RecoveryCodesView.as_view(), name="mfa_view_recovery_codes"),
    path("account/security/codes/new/", second_factor.new_recovery_codes, name="mfa_generate_recovery_codes"),
    path("account/security/passkeys/", passkeys.AddPasskeyView.as_view(), name="mfa_add_webauthn"),
    path("account/security/passkeys/<int:pk>/name/", passkeys.rename_passkey, name="mfa_edit_webauthn"),
    path("account/security/passkeys/<int:pk>/remove/", passkeys.remove_passkey, name="mfa_remove_webauthn"),
]
# Names under which allauth looks up pages that have a name of their own.
aliases: list[URLPattern] = [
    path("sign-in/", account.sign_in, name="account_login"),
    path("sign-in/", account.sign_in, name="account_inactive"),
]
