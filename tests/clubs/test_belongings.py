"""What belongs to a club: formats and card catalogues are its managers' own, and go back when they are returned."""

import pytest
from django.http import Http404

from tests.api import scenes
from tests.builders import NOW
from tests.cast import Cast, account
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import erase_account
from tournaments.clubs import belongings, services
from tournaments.clubs.models import Club
from tournaments.common import clock
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.decks.access import catalogue_for_owner, newest_for_owner
from tournaments.decks.catalogues import keep_upload, open_upload, read_upload
from tournaments.decks.models import Catalogue
from tournaments.decks.selectors import catalogues_of
from tournaments.events.access import format_for_owner
from tournaments.events.models import SavedFormat
from tournaments.events.selectors import formats_of
from tournaments.events.services import create_event, save_format

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(cast: Cast) -> Club:
    """A club of the organizer in which the stranger is an organizer, too, and the judge a judge."""
    made = services.create_club(name="Card Club", by=cast.organizer, now=NOW)
    for user, role in ((cast.stranger, "organizer"), (cast.judge, "judge")):
        services.grant_role(club=made, email=str(user.email), role=role, by=cast.organizer, now=NOW)
    return made


def a_format(cast: Cast) -> SavedFormat:
    return SavedFormat.objects.get(public_id=scenes.saved(cast).format)


def a_catalogue(cast: Cast) -> Catalogue:
    return Catalogue.objects.get(pk=scenes.with_cards(cast).catalogue)


def uploaded(by, ref: str) -> Catalogue:
    document = f"ref,name,kind,val\n{ref},One,magie,1\n".encode()
    upload = open_upload(game="star-safir", name="own", document=document, by=by, now=clock.now())
    read_upload(upload_id=upload.pk)
    upload.refresh_from_db()
    return keep_upload(upload=upload, now=clock.now())


def test_the_managers_of_a_club_use_its_formats_and_its_judges_do_not(cast: Cast, club: Club) -> None:
    saved = belongings.give_format(saved=a_format(cast), club=club, by=cast.organizer, now=NOW)
    assert list(formats_of(cast.stranger)) == [saved] == list(formats_of(cast.organizer))
    assert not formats_of(cast.judge).exists()
    create_event(preset=saved.public_id, name="Ours", by=cast.stranger, now=NOW)
    with pytest.raises(Http404):
        format_for_owner(cast.judge, saved.public_id)
    assert LedgerEntry.objects.filter(chain=club.public_id, code="club.format_given", object=saved.public_id).exists()


def test_who_leaves_the_club_leaves_its_formats_there(cast: Cast, club: Club) -> None:
    saved = belongings.give_format(saved=a_format(cast), club=club, by=cast.organizer, now=NOW)
    services.hand_over(club=club, email=str(cast.stranger.email), by=cast.organizer, now=NOW, stay=False)
    assert list(formats_of(cast.stranger)) == [saved] and not formats_of(cast.organizer).exists()
    with pytest.raises(Refusal, match="format_of_club"):
        save_format(event=scenes.draft(cast).event, name=saved.name, by=cast.organizer, now=NOW)
    with pytest.raises(Refusal, match="not_yours"):
        belongings.give_format(saved=saved, club=None, by=cast.organizer, now=NOW)


def test_a_format_survives_the_account_that_saved_it(cast: Cast, club: Club) -> None:
    saved = belongings.give_format(saved=a_format(cast), club=club, by=cast.organizer, now=NOW)
    erase_account(user=cast.organizer, now=NOW)
    assert list(formats_of(cast.stranger)) == [saved]


def test_a_club_that_is_deleted_gives_back_what_it_was_given(cast: Cast, club: Club) -> None:
    saved = belongings.give_format(saved=a_format(cast), club=club, by=cast.organizer, now=NOW)
    catalogue = belongings.give_catalogue(catalogue=a_catalogue(cast), club=club, by=cast.organizer, now=NOW)
    services.delete_club(club=club, by=cast.organizer, now=NOW)
    assert list(formats_of(cast.organizer)) == [saved] and not formats_of(cast.stranger).exists()
    assert catalogue_for_owner(cast.organizer, catalogue.pk) and not catalogues_of(cast.stranger).exists()


def test_all_versions_of_a_catalogue_belong_to_the_club_and_its_managers_add_the_next(cast: Cast, club: Club) -> None:
    first = a_catalogue(cast)
    second = uploaded(cast.organizer, "OWN-3")
    belongings.give_catalogue(catalogue=second, club=club, by=cast.organizer, now=NOW)
    assert {one.pk for one in catalogues_of(cast.stranger)} == {first.pk, second.pk}
    third = uploaded(cast.stranger, "OWN-4")
    assert (third.owner, third.version, third.group_id) == (cast.organizer, 3, club.group_id)
    assert newest_for_owner(cast.organizer, "star-safir", "own") == third
    with pytest.raises(Http404):
        catalogue_for_owner(cast.judge, third.pk)


def test_a_catalogue_of_ones_own_goes_before_that_of_a_club_with_the_same_name(cast: Cast, club: Club) -> None:
    own = uploaded(cast.stranger, "MINE-1")
    belongings.give_catalogue(catalogue=a_catalogue(cast), club=club, by=cast.organizer, now=NOW)
    assert newest_for_owner(cast.stranger, "star-safir", "own") == own
    assert uploaded(cast.stranger, "MINE-2").owner == cast.stranger


def test_formats_and_catalogues_are_given_on_their_pages(cast: Cast, club: Club) -> None:
    saved, catalogue = a_format(cast), a_catalogue(cast)
    organizer = signed_in(cast.organizer)
    for name, key in (("format_club", saved.public_id), ("catalogue_club", catalogue.pk)):
        assert organizer.post(address(name, key), {"club": club.public_id}).status_code == 302
    manage = text(signed_in(cast.stranger).get(address("club_manage", club.public_id)))
    assert saved.name in manage and "own, version 1" in manage
    assert "own, version 1" not in text(signed_in(cast.judge).get(address("club_manage", club.public_id)))
    assert "Card Club" in text(organizer.get(address("catalogues")))
    assert signed_in(cast.stranger).post(address("catalogue_club", catalogue.pk), {"club": ""}).status_code == 302
    assert not catalogues_of(cast.stranger).exists() and catalogues_of(cast.organizer).exists()


def test_nothing_is_given_to_a_club_that_one_does_not_manage(cast: Cast, club: Club) -> None:
    saved = a_format(cast)
    other = services.create_club(name="Other", by=account("Another"), now=NOW)
    assert (
        signed_in(cast.organizer).post(address("format_club", saved.public_id), {"club": other.public_id}).status_code
        == 404
    )
    services.grant_role(club=other, email=str(cast.organizer.email), role="judge", by=other.roles.get().user, now=NOW)
    assert (
        signed_in(cast.organizer).post(address("format_club", saved.public_id), {"club": other.public_id}).status_code
        == 403
    )
    saved.refresh_from_db()
    assert saved.group is None
