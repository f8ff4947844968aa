"""E-mail notifications: choose them on the account page, or unsubscribe through the link in an e-mail."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.notices.services import choose_notices, reader_of, silence
from tournaments.web.pages.account.forms import NoticesForm
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address
from tournaments.web.words.notices import NOTICES


@login_required
@require_POST
def account_notices(request: SignedInRequest) -> HttpResponse:
    """Choose the kinds of notifications that the account gets by e-mail."""
    form = NoticesForm(request.POST)
    # Kinds that the form does not know are passed on, so that the service refuses them by name.
    kinds = form.cleaned_data["kinds"] if form.is_valid() else request.POST.getlist("kinds")
    choose_notices(user=request.user, kinds=kinds)
    messages.success(request, _("Your choice of letters is kept."))
    return redirect("web:account")


@csrf_exempt  # mail programs post here for one-click unsubscribing; the signature in the address is the proof
@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, public_id: str, kind: str, signature: str) -> HttpResponse:
    """Unsubscribe from a kind of notification, without signing in. Opening the link does nothing; its button does."""
    user = reader_of(public_id, kind, signature)
    if request.method == "POST":
        silence(user=user, kind=kind)
    context = {"kind": NOTICES[kind], "done": request.method == "POST"}
    return render(request, "web/account/unsubscribe.html", context)
