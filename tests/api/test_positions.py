"""Saved boards, their photos and their signatures, through the API."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from tests.api.scenes import board_kept
from tests.cast import Cast
from tests.common.test_photos import SECRET, photo, with_exif
from tournaments.accounts.models import User

pytestmark = pytest.mark.django_db
Client = Callable[[User], APIClient]
START = {"kind": "position", "source": "judge", "state": {"seats": {"A": {"pv": 11}}}}


def test_a_board_can_be_saved_photographed_read_and_signed(cast: Cast, as_: Client) -> None:
    scene = board_kept(cast)
    judge, player = as_(cast.judge), as_(cast.player)
    body = {"start": START, "move": {"by": "A", "do": "end_turn"}, "photos_of": scene.position}
    kept = judge.post(scene.at("matches/{match}/positions/"), body, format="json")
    assert (kept.status_code, kept.json()["answer"] in ("legal", "illegal", "undetermined")) == (201, True)
    scene.position = kept.json()["id"]
    sent = judge.post(scene.at("positions/{position}/photos/"), with_exif(), content_type="image/jpeg")
    assert sent.status_code == 201, sent.content
    whole = judge.get(scene.at("positions/{position}/")).json()
    assert len(whole["photos"]) == 2 and whole["position"]["start"] == START
    picture = judge.get(f"/api/v1/photos/{sent.json()['id']}/")
    assert picture["Content-Type"] == "image/jpeg" and SECRET not in picture.content
    signed = {"agrees": True, "digest": whole["digest"]}
    answer = player.post(scene.at("positions/{position}/signatures/"), signed, format="json")
    assert (answer.status_code, answer.json()["device"]) == (201, "own")
    stale = player.post(
        scene.at("positions/{position}/signatures/"), {**signed, "digest": kept.json()["digest"]}, format="json"
    )
    assert (stale.status_code, stale.json()["code"]) == (409, "position_moved")
    late = judge.post(scene.at("positions/{position}/photos/"), photo((33, 33)), content_type="image/jpeg")
    assert (late.status_code, late.json()["code"]) == (409, "position_signed")
    own = player.get(scene.at("positions/{position}/")).json()
    assert (own["photos"], own["position"], len(own["signatures"])) == ([], None, 1)
    assert len(judge.get(scene.at("matches/{match}/positions/")).json()["results"]) == 2


def test_a_judge_names_the_seat_that_signs_and_unreadable_input_is_refused(cast: Cast, as_: Client) -> None:
    scene = board_kept(cast)
    judge = as_(cast.judge)
    signed = {"agrees": False, "digest": scene.digest}
    address = scene.at("positions/{position}/signatures/")
    assert judge.post(address, signed, format="json").status_code == 404
    assert judge.post(address, {**signed, "seat": 2}, format="json").json()["device"] == "judge"
    for start in ({}, {"kind": "position", "state": {"seats": {"A": {"pv": "many"}}}}):
        refused = judge.post(scene.at("matches/{match}/positions/"), {"start": start}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (422, "position_unreadable")
    bad = judge.post(scene.at("positions/{position}/photos/"), b"<svg/>", content_type="image/svg+xml")
    assert (bad.status_code, bad.json()["code"]) == (422, "photo_unreadable")
