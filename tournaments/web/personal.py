"""Everything stored about an account and the persons it acts for, as plain values, for data access requests."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.accounts.connections import connections_as_data
from tournaments.accounts.factors import browsers_as_data, factors_as_data
from tournaments.accounts.models import Guardianship, Person, User
from tournaments.audits.models import MoveLog
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import catalogues_of
from tournaments.events.bans import bans_about
from tournaments.events.entry_invitations import told_to
from tournaments.events.models import Entrant, Invitation
from tournaments.judging.models import Call
from tournaments.judging.selectors import notes_of
from tournaments.leagues.models import BookEntry
from tournaments.notices.models import Channel
from tournaments.notices.selectors import devices_as_data, wanted_kinds
from tournaments.play.models import Round
from tournaments.profiles.models import Follow
from tournaments.profiles.selectors import profile_of
from tournaments.standings.models import PrizePick, Qualified

LEFT_OUT = [
    "Who wrote a note, a ban or a penalty about you: that says something about others too.",
    "Passwords, keys and secret addresses: only digests of them are stored, or they would open your account.",
    "The documents of move logs: each can be downloaded on its own.",
    "Pairings that are not published yet.",
    "The ledgers of events: they refer to you by the ids above, and event files contain them.",
]


def data_of(user: User) -> dict[str, Any]:
    """The account, how it signs in, its persons and their entries, and everything else that it made or holds.

    JSON-able; dates are ISO 8601 strings in UTC.
    """
    return {
        "account": _account(user),
        "second_factors": factors_as_data(user),
        "browsers": browsers_as_data(user),
        "connections": connections_as_data(user),
        "persons": [_person(person) for person in user.persons.order_by("pk")],
        "bans_about_you": [
            {
                "reason": ban.reason,
                "until": ban.until.isoformat() if ban.until else None,
                "made": ban.made_at.isoformat(),
            }
            for ban in bans_about(user)
        ],
        **_events_of(user),
        "notices": wanted_kinds(user),
        "follows": [
            _follow(follow) for follow in user.follows.select_related("event", "profile__person").order_by("pk")
        ],
        "push_notices": wanted_kinds(user, Channel.PUSH),
        "devices": devices_as_data(user),
        **_programs_of(user),
        **_games_of(user),
        "left_out": LEFT_OUT,
    }


def _account(user: User) -> dict[str, Any]:
    return {
        "id": user.public_id,
        "email": user.email,
        "email_confirmed": _time(user.email_confirmed_at),
        "new_email": user.new_email,
        "sign_in_name": user.sign_in_name,
        "last_sign_in": _time(user.last_login),
        "used_on": user.used_on.isoformat() if user.used_on else None,
        "end_warned": _time(user.end_warned_at),
        "guardian": _guardian(user),
        "guides_read": user.guides_read,
        "language": user.language,
        "calendar_link": bool(user.calendar_key),
        "joined": user.date_joined.isoformat(),
    }


def _guardian(user: User) -> dict[str, Any] | None:
    named = Guardianship.objects.filter(user=user).first()
    if named is None:
        return None
    return {
        "email": named.email,
        "under": named.under,
        "asked": named.asked_at.isoformat(),
        "consented": _time(named.confirmed_at),
    }


def _who(by: User | None, person: Person) -> str:
    """Who gave a consent, as the person may know it: this account, or the event's staff without saying who."""
    if by is None:
        return ""
    return "this account" if by.pk == person.account_id else "staff or another account"


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _events_of(user: User) -> dict[str, Any]:
    """What the account does at events: its roles, invitations it made or received, and judge calls."""
    return {
        "roles": [
            {"event": role.event.public_id, "name": role.event.name, "role": role.role}
            for role in user.staff_roles.select_related("event").order_by("pk")
        ],
        "club_roles": [
            {"club": held.club.public_id, "name": held.club.name, "role": held.role}
            for held in user.club_roles.select_related("club").order_by("pk")
        ],
        "bans": [
            {
                "person": ban.person.public_id if ban.person else None,
                "reason": ban.reason,
                "until": ban.until.isoformat() if ban.until else None,
                "made": ban.made_at.isoformat(),
            }
            for ban in user.bans.select_related("person").order_by("pk")
        ],
        "private_events": [
            {"event": guest.event.public_id, "name": guest.event.name, "came": guest.at.isoformat()}
            for guest in user.guest_of.select_related("event").order_by("pk")
        ],
        "invitations": [
            {"event": made.event.public_id, "role": made.role, "made": made.made_at.isoformat(), "email": made.email}
            for made in Invitation.objects.filter(made_by=user).select_related("event").order_by("pk")
        ],
        "invitations_received": told_to(user),
        "judge_calls": [
            {"match": call.match.public_id, "matter": call.matter, "called": call.called_at.isoformat()}
            for call in Call.objects.filter(by=user).select_related("match").order_by("pk")
        ],
    }


def _programs_of(user: User) -> dict[str, Any]:
    """What programs use on behalf of the account: tokens, without their secrets, and webhooks."""
    return {
        "tokens": [
            {
                "name": token.name,
                "scopes": token.scopes,
                "made": token.created_at.isoformat(),
                "last_used_on": token.last_used_on.isoformat() if token.last_used_on else None,
                "revoked": _time(token.revoked_at),
            }
            for token in user.api_tokens.order_by("pk")
        ],
        "webhooks": [
            {"id": webhook.public_id, "url": webhook.url, "made": webhook.created_at.isoformat()}
            for webhook in user.webhooks.order_by("pk")
        ],
    }


def _games_of(user: User) -> dict[str, Any]:
    """What the account uploaded about games: card catalogues and move logs."""
    return {
        "catalogues": [
            {"catalog": kept.catalog, "version": kept.version, "kept": kept.created_at.isoformat()}
            for kept in catalogues_of(user).order_by("pk")
        ],
        "logs": [
            {"id": log.public_id, "sha256": log.sha256, "sent": log.uploaded_at.isoformat()}
            # Without the documents, which are up to 8 MiB each; the account can download them one by one.
            for log in MoveLog.objects.filter(uploaded_by=user).defer("document").order_by("pk")
        ],
    }


def _person(person: Person) -> dict[str, Any]:
    entrants = Entrant.objects.filter(member__person=person).select_related("event").order_by("pk")
    return {
        "id": person.public_id,
        "given_name": person.given_name,
        "family_name": person.family_name,
        "public_name": person.public_name,
        "off_stream": person.off_stream,
        "profile": _profile(person),
        "books": [{"name": kept.name, "notes": kept.notes} for kept in _kept_by_organizers(person)],
        "entrants": [_entrant(entrant, person) for entrant in entrants],
        "answers": [
            {
                "event": given.question.event.public_id,
                "question": given.question.label,
                "answer": given.text,
                "at": given.at.isoformat(),
                "sentence": given.sentence,
                "by": _who(given.by, person),
            }
            for given in person.answers.select_related("question__event", "by").order_by("pk")
        ],
        "consents": [
            {
                "event": given.event.public_id,
                "how": given.how,
                "at": given.at.isoformat(),
                "sentence": given.sentence,
                "by": _who(given.by, person),
            }
            for given in person.consents.select_related("event", "by").order_by("pk")
        ],
        "applications": [
            {
                "event": made.event.public_id,
                "status": made.status,
                "made": made.applied_at.isoformat(),
                "reason": made.reason,
            }
            for made in person.applications.select_related("event").order_by("pk")
        ],
    }


def _follow(follow: Follow) -> dict[str, str | None]:
    return {
        "event": follow.event.public_id if follow.event else None,
        "player": follow.profile.person.public_id if follow.profile else None,
        "since": follow.at.isoformat(),
    }


def _profile(person: Person) -> dict[str, Any] | None:
    profile = profile_of(person)
    if profile is None:
        return None
    return {
        "short_name": profile.short_name,
        "text": profile.text,
        "searchable": profile.searchable,
        "made": profile.made_at.isoformat(),
    }


def _kept_by_organizers(person: Person) -> QuerySet[BookEntry]:
    """What organizers noted about a person in their player books, without saying who they are."""
    return BookEntry.objects.filter(person=person).exclude(name="", notes="").order_by("pk")


def _entrant(entrant: Entrant, person: Person) -> dict[str, Any]:
    own = Q(member=None) | Q(member__person=person)  # the lists of team mates are theirs
    lists = Decklist.objects.filter(own, entrant=entrant).order_by("stage", "version")
    penalties = list(entrant.penalties.order_by("pk"))
    notes = notes_of(entrant.event, penalties)
    return {
        "id": entrant.public_id,
        "event": entrant.event.public_id,
        "event_name": entrant.event.name,
        "status": entrant.status,
        "club": entrant.club,
        "fixed_table": entrant.fixed_table,
        "seed": entrant.seed,
        "qualified_from": [came.source.public_id for came in Qualified.objects.filter(entrant=entrant)],
        "picked_for_prizes": [pick.category.name for pick in PrizePick.objects.filter(entrant=entrant)],
        "registered": entrant.registered_at.isoformat(),
        "decklists": [
            {"version": decklist.version, "submitted": decklist.submitted_at.isoformat(), "text": decklist.text}
            for decklist in lists
        ],
        "pools": [
            {"version": pool.version, "registered": pool.registered_at.isoformat(), "text": pool.text}
            for pool in entrant.pools.order_by("stage", "version")
        ],
        "payments": [
            {
                "id": payment.public_id,
                "cents": payment.cents,
                "currency": payment.currency,
                "way": payment.variant,
                "status": payment.status,
                "started": payment.started_at.isoformat(),
                "refunded": payment.refunded_cents,
            }
            for payment in entrant.payments.order_by("pk").prefetch_related("refunds")
        ],
        "matches": [
            {
                "id": seat.match.public_id,
                "round": seat.round.number,
                "games_won": seat.games_won,
                "points": seat.points,
                "rank": seat.rank,
            }
            # Draft pairings are secret until they are published, also from the players themselves.
            for seat in entrant.seats
            .exclude(round__status=Round.Status.DRAFT)
            .select_related("match", "round")
            .order_by("round__number")
        ],
        "penalties": [
            {
                "infraction": given.infraction,
                "level": given.level,
                "given": given.at.isoformat(),
                "withdrawn": _time(given.withdrawn_at),
                "note": notes.get(given.entry, ""),
            }
            for given in penalties
        ],
        "deck_checks": [
            {
                "match": check.match.public_id,
                "opened": check.opened_at.isoformat(),
                "done": _time(check.done_at),
                "counted": check.counted,
                "other_cards": check.others,
            }
            for check in entrant.deck_checks.filter(own).select_related("match").order_by("pk")
        ],
    }
