"""The persons for whom an account acts, such as children, and claiming an entry that was made at the desk."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.accounts.guardians import add_person, change_person, person_for_guardian, persons_of, remove_person
from tournaments.accounts.models import Person
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput
from tournaments.events.claims import claim_entry, entrant_for_claim
from tournaments.events.selectors import entrants_of_account
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.account.person_forms import PersonForm, names_form
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address


def _page(request: SignedInRequest, form: PersonForm | None = None, person: Person | None = None) -> HttpResponse:
    """The page; `form` is a submitted form with errors, for `person` or for a new one."""
    me, *others = persons_of(request.user)
    lines = [(each, form if each == person and form else _form_of(each)) for each in others]
    context = {
        "me": me,
        "lines": lines,
        "form": form if form and person is None else PersonForm(auto_id="new_%s"),
        "entrants": entrants_of_account(request.user),
    }
    return render(request, "web/account/persons.html", context, status=422 if form else 200)


def _form_of(person: Person, sent: object = None) -> PersonForm:
    return names_form(person, sent, auto_id=f"{person.public_id}_%s")


@never_cache
@login_required
@accepted_once
def persons(request: SignedInRequest) -> HttpResponse:
    """List everybody for whom the account acts, with their entries; a POST adds a person."""
    if request.method != "POST":
        return _page(request)
    form = PersonForm(request.POST, auto_id="new_%s")
    if form.is_valid():
        with refusals_on(form):
            made = add_person(guardian=request.user, **form.cleaned_data)
            message = _("You can now act for %(name)s: register them on the page of an event.")
            messages.success(request, message % {"name": made.name})
            return redirect("web:persons")
    return _page(request, form)


@login_required
@require_POST
def person_change(request: SignedInRequest, person_id: str) -> HttpResponse:
    """Change the names of one of these persons."""
    person = person_for_guardian(request.user, person_id)
    form = _form_of(person, request.POST)
    if not form.is_valid():
        return _page(request, form, person)
    change_person(person=person, **form.cleaned_data)
    messages.success(request, _("The names are changed."))
    return redirect("web:persons")


@login_required
@require_POST
def person_remove(request: SignedInRequest, person_id: str) -> HttpResponse:
    """Erase one of these persons permanently."""
    remove_person(person=person_for_guardian(request.user, person_id), by=request.user, now=now())
    messages.success(request, _("The names are erased. Results stay under an anonymous id."))
    return redirect("web:persons")


@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, entrant_id: str, signature: str) -> HttpResponse:
    """Claim an entry that was made at the desk, for oneself or a child."""
    entrant = entrant_for_claim(entrant_id, signature)
    user = request.user if request.user.is_authenticated else None
    known = persons_of(user) if user else []
    if request.method == "POST":
        if user is None or not known:
            raise InvalidInput("account_needed", _("Sign in first, or create an account."))
        person = person_for_guardian(user, request.POST.get("person", ""))
        claim_entry(entrant=entrant, person=person, by=user, now=now())
        messages.success(request, _("The entry is yours now, with its seat, its lists and its results."))
        return redirect("web:me", entrant.event.public_id)
    context = {"event": entrant.event, "entrant": entrant, "persons": known}
    return render(request, "web/account/claim.html", context)
