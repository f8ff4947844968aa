"""All that is kept of an account and the persons it acts for, as plain values: a person may ask for it."""

from typing import Any

from django.db.models import QuerySet

from tournaments.accounts.models import Person, User
from tournaments.audits.models import MoveLog
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import catalogues_of
from tournaments.events.models import Entrant, Invitation
from tournaments.judging.models import Call
from tournaments.leagues.models import BookEntry
from tournaments.notices.selectors import wanted_kinds
from tournaments.play.models import Round


def data_of(user: User) -> dict[str, Any]:
    """The account, its persons and where they play, its roles, tokens, webhooks and logs. Dates as ISO 8601, in UTC."""
    return {
        "account": {
            "id": user.public_id,
            "email": user.email,
            "email_confirmed": user.email_confirmed_at.isoformat() if user.email_confirmed_at else None,
            "new_email": user.new_email,
            "sign_in_name": user.sign_in_name,
            "last_sign_in": user.last_login.isoformat() if user.last_login else None,
            "guides_read": user.guides_read,
            "language": user.language,
            "joined": user.date_joined.isoformat(),
        },
        "persons": [_person(person) for person in user.persons.order_by("pk")],
        "roles": [
            {"event": role.event.public_id, "name": role.event.name, "role": role.role}
            for role in user.staff_roles.select_related("event").order_by("pk")
        ],
        "notices": wanted_kinds(user),
        "invitations": [
            {"event": made.event.public_id, "role": made.role, "made": made.made_at.isoformat(), "email": made.email}
            for made in Invitation.objects.filter(made_by=user).select_related("event").order_by("pk")
        ],
        "judge_calls": [
            {"match": call.match.public_id, "matter": call.matter, "called": call.called_at.isoformat()}
            for call in Call.objects.filter(by=user).select_related("match").order_by("pk")
        ],
        "tokens": [
            {
                "name": token.name,
                "scopes": token.scopes,
                "made": token.created_at.isoformat(),
                "last_used_on": token.last_used_on.isoformat() if token.last_used_on else None,
                "revoked": token.revoked_at.isoformat() if token.revoked_at else None,
            }
            for token in user.api_tokens.order_by("pk")
        ],
        "webhooks": [
            {"id": webhook.public_id, "url": webhook.url, "made": webhook.created_at.isoformat()}
            for webhook in user.webhooks.order_by("pk")
        ],
        "catalogues": [
            {
                "catalog": kept.catalog,
                "version": kept.version,
                "kept": kept.created_at.isoformat(),
            }
            for kept in catalogues_of(user).order_by("pk")
        ],
        "logs": [
            {"id": log.public_id, "sha256": log.sha256, "sent": log.uploaded_at.isoformat()}
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
        "books": [{"name": kept.name, "notes": kept.notes} for kept in _kept_by_organizers(person)],
        "entrants": [_entrant(entrant) for entrant in entrants],
    }


def _kept_by_organizers(person: Person) -> QuerySet[BookEntry]:
    """What organizers wrote of a person; not who did."""
    return BookEntry.objects.filter(person=person).exclude(name="", notes="").order_by("pk")


def _entrant(entrant: Entrant) -> dict[str, Any]:
    lists = Decklist.objects.filter(entrant=entrant).order_by("stage", "version")
    return {
        "id": entrant.public_id,
        "event": entrant.event.public_id,
        "event_name": entrant.event.name,
        "status": entrant.status,
        "club": entrant.club,
        "fixed_table": entrant.fixed_table,
        "registered": entrant.registered_at.isoformat(),
        "decklists": [
            {"version": decklist.version, "submitted": decklist.submitted_at.isoformat(), "text": decklist.text}
            for decklist in lists
        ],
        "pools": [
            {"version": pool.version, "registered": pool.registered_at.isoformat(), "text": pool.text}
            for pool in entrant.pools.order_by("stage", "version")
        ],
        "matches": [
            {
                "id": seat.match.public_id,
                "round": seat.round.number,
                "games_won": seat.games_won,
                "points": seat.points,
                "rank": seat.rank,
            }
            for seat in entrant.seats
            .exclude(round__status=Round.Status.DRAFT)
            .select_related("match", "round")
            .order_by("round__number")
        ],
        "penalties": [
            {"infraction": given.infraction, "level": given.level, "given": given.at.isoformat()}
            for given in entrant.penalties.order_by("pk")
        ],
    }
