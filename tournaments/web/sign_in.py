"""The one place where every way to sign in ends: it asks for the second factor of accounts that have one."""

from allauth.account.utils import perform_login
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse

from tournaments.accounts.models import User


def complete_sign_in(request: HttpRequest, user: User, *, to: str) -> HttpResponse:
    """Sign an account in and redirect to the path `to`, or first to the page that asks for its second factor.

    Call this once a password, a link or a provider has shown who it is. Until the second factor is given too, the
    request's browser is signed in to nothing, and is not remembered as one of the account's devices.
    """
    if request.user.is_authenticated:  # a link may be for another account than the one that is signed in here
        logout(request)
    answer: HttpResponse = perform_login(request, user, redirect_url=to)
    return answer
