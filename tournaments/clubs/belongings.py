"""What a club owns beside its events: formats and card catalogues that somebody gave it.

They belong to the club's group (see `accounts.owning`): its owners and organizers use and change them as their own. The
account that gave something has it back when the club returns it or is deleted.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.accounts.owning import owns
from tournaments.clubs.models import Club
from tournaments.clubs.services import record
from tournaments.common.refusals import Refusal
from tournaments.decks.models import Catalogue
from tournaments.events.models import SavedFormat


def formats_of_club(club: Club) -> QuerySet[SavedFormat]:
    """The formats that belong to a club, by name."""
    return SavedFormat.objects.filter(group=club.group_id)


def catalogues_of_club(club: Club) -> QuerySet[Catalogue]:
    """The catalogues that belong to a club, by game and name, newest version first."""
    return Catalogue.objects.filter(group=club.group_id).defer("document")


def give_format(*, saved: SavedFormat, club: Club | None, by: User, now: datetime) -> SavedFormat:
    """Give a format to a club, or with None back to the account that saved it. Idempotent.

    `by` manages both the format and the club. Refused: `not_yours` if the format changed hands meanwhile.
    """
    with transaction.atomic():
        saved = SavedFormat.objects.select_for_update().get(pk=saved.pk)
        before = _club_of(saved, by)
        if before != club:
            saved.group_id = club.group_id if club else None
            saved.save(update_fields=["group"])
            _tell(before, club, saved.public_id, "format", by, now)
    return saved


def give_catalogue(*, catalogue: Catalogue, club: Club | None, by: User, now: datetime) -> Catalogue:
    """Give all versions of a catalogue to a club, or with None back to the account that uploaded them. Idempotent.

    `by` manages both the catalogue and the club. Refused: `not_yours` if the catalogue changed hands meanwhile.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(catalogues=catalogue.pk)  # every version is saved under this lock
        catalogue = Catalogue.objects.defer("document").get(pk=catalogue.pk)
        before = _club_of(catalogue, by)
        if before != club:
            named = {"owner": catalogue.owner_id, "game": catalogue.game, "catalog": catalogue.catalog}
            # `update`, because `save` refuses to change a catalogue: what it says stays the same, though.
            Catalogue.objects.filter(**named).update(group=club.group_id if club else None)
            _tell(before, club, f"catalogue-{catalogue.pk}", "catalogue", by, now)
            catalogue.refresh_from_db(fields=["group"])
    return catalogue


def _club_of(thing: SavedFormat | Catalogue, by: User) -> Club | None:
    if not owns(by, thing):
        raise Refusal("not_yours", _("This belongs to somebody else now."))
    return Club.objects.filter(group=thing.group_id).first() if thing.group_id else None


def _tell(before: Club | None, after: Club | None, thing: str, kind: str, by: User, now: datetime) -> None:
    if before is not None:
        record(before, by, f"club.{kind}_returned", now, object=thing)
    if after is not None:
        record(after, by, f"club.{kind}_given", now, object=thing)
