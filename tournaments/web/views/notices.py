"""What one is told by letter: chosen on the account page, or ended by the link of a letter."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.notices.services import choose_notices, reader_of, silence
from tournaments.web.forms.account import NoticesForm
from tournaments.web.secret_address import secret_address
from tournaments.web.words import NOTICES


@login_required
@require_POST
def account_notices(request: HttpRequest) -> HttpResponse:
    """Choose the kinds of notices that come by letter."""
    form = NoticesForm(request.POST)
    kinds = form.cleaned_data["kinds"] if form.is_valid() else request.POST.getlist("kinds")
    choose_notices(user=request.user, kinds=kinds)
    messages.success(request, _("Your choice of letters is kept."))
    return redirect("web:account")


@csrf_exempt  # a mail program posts here by itself, and the address is its own proof
@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, public_id: str, kind: str, signature: str) -> HttpResponse:
    """End the letters of a kind: looking at it ends nothing, its button does, without signing in."""
    user = reader_of(public_id, kind, signature)
    if request.method == "POST":
        silence(user=user, kind=kind)
    context = {"kind": NOTICES[kind], "done": request.method == "POST"}
    return render(request, "web/account/unsubscribe.html", context)
