"""All that is kept of an account and the persons it acts for, as plain values: a person may ask for it."""

from typing import Any

from tournaments.accounts.models import Person, User
from tournaments.audits.models import MoveLog
from tournaments.decks.models import Decklist
from tournaments.events.models import Entrant


def data_of(user: User) -> dict[str, Any]:
    """The account, its persons and where they play, its roles, tokens and logs. Dates as ISO 8601, in UTC."""
    return {
        "account": {
            "id": user.public_id,
            "email": user.email,
            "language": user.language,
            "joined": user.date_joined.isoformat(),
        },
        "persons": [_person(person) for person in user.persons.order_by("pk")],
        "roles": [
            {"event": role.event.public_id, "name": role.event.name, "role": role.role}
            for role in user.staff_roles.select_related("event").order_by("pk")
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
        "entrants": [_entrant(entrant) for entrant in entrants],
    }


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
    }
