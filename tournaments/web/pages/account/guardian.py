"""The guardian of a child's account: the page from the e-mail, and the form that sends it again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.accounts import guardianship
from tournaments.common.clock import now
from tournaments.common.mail import sends_mail
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.web.pages.account.account import limit_emails
from tournaments.web.rate_limits import LETTERS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address


@secret_address
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def guardian(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Consent to a child's account, refuse, or withdraw the consent. Opening the link does nothing; a button does."""
    child = guardianship.child_of_link(public_id)
    context = {"child": child, "may_consent": guardianship.may_consent(child, token)}
    try:
        if request.method == "POST":
            context["done"] = _answer(request, public_id, token)
        elif not guardianship.may_withdraw(child, token):
            raise Refusal("link_spent", _("This link was already used or has expired. Request a new one."))
    except Refusal as refusal:
        return render(request, "web/account/guardian.html", {"refusal": refusal}, status=refusal.status)
    return render(request, "web/account/guardian.html", context)


def _answer(request: HttpRequest, public_id: str, token: str) -> str:
    child, answer = guardianship.child_of_link(public_id), request.POST.get("answer", "")
    if answer == "yes":
        guardianship.consent(user=child, token=token, now=now())
        if not sends_mail():
            return _("Thank you. The child can now enter events.")
        return _("Thank you. We’ve e-mailed you a link with which you can withdraw your consent.")
    if answer != "no":
        raise Http404
    guardianship.withdraw(user=child, token=token, now=now())
    return _("The account is erased.")


@login_required
@require_POST
@rate_limited(LETTERS)
def account_guardian(request: SignedInRequest) -> HttpResponse:
    """Send the guardian of the reader's account the e-mail again, perhaps to another address."""
    if not request.user.guardian_pending:
        raise NotAllowed("guardian_not_needed", _("Your account needs no guardian."))
    email = request.POST.get("email", "")
    limit_emails(email)
    guardianship.ask_guardian(user=request.user, email=email, now=now())
    if sends_mail():
        messages.success(request, _("The e-mail is on its way."))
    return redirect("web:account")
