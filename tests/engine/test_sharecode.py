"""Share codes of Altered: one encoded by hand, the published ones in both directions, and texts that are no code."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.decks.decklist import parse
from engine.core.decks.formats import sharecode, sniff
from engine.core.text.errors import Malformed

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "altered"
FILE = DATA / "share_code_vectors.json"
PUBLISHED: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["vectors"] if FILE.exists() else []
# Version 1; one group: set 2 (CORE), 1 card; copies 0, then 55 - 3; booster; faction 4 (MU), number 25, rarity 1.
BY_HAND = "0001" "00000001" "00000010" "000001" "00" "110100" "1" "100" "11001" "01" "000"  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def catalog_of(*refs: str) -> Catalog:
    cards = [{"ref": ref, "name": f"Card {ref}", "kind": "magie", "val": 1} for ref in refs]
    return load_catalog({"id": "test", "game": "star-safir", "cards": cards})


def test_a_code_encoded_by_hand_is_read_and_written() -> None:
    code = "".join(LETTERS[int(BY_HAND[at : at + 6], 2)] for at in range(0, len(BY_HAND), 6))
    assert code == "EBAgTTMo"
    assert sharecode.write([("ALT_CORE_B_MU_25_R1", 55)]) == code
    parsed = parse(f" {code}\n", catalog_of("ALT_CORE_B_MU_25_R1"))
    assert (dict(parsed.deck.main), parsed.faults) == ({"ALT_CORE_B_MU_25_R1": 55}, ())


@pytest.mark.skipif(not PUBLISHED, reason="../shared/data is absent")
@pytest.mark.parametrize("vector", PUBLISHED, ids=[vector["name"] for vector in PUBLISHED])
def test_a_published_code_is_encoded_and_decoded(vector: dict[str, Any]) -> None:
    listed = [(ref, int(count)) for count, ref in (line.split() for line in vector["lines"])]
    assert sharecode.write(listed) == vector["encoded"]
    parsed = parse(vector["encoded"], catalog_of(*(ref for ref, _ in listed)))
    assert (parsed.faults, Counter(parsed.deck.main)) == ((), Counter(dict(listed)))


def test_a_code_with_a_card_missing_from_the_catalogue_has_a_fault() -> None:
    (fault,) = parse("EBAgTTMo", catalog_of("ALT_CORE_B_MU_24_R1")).faults
    assert (fault.line, fault.code) == (1, "unknown_card")


@pytest.mark.parametrize(
    ("ref", "count"),
    # A unique number above 65535, too many copies, a card number above 31, a rarity, set or faction without a code, a
    # unique without a number, a common with one, a ref of another game, a negative quantity.
    [("ALT_COREKS_B_LY_07_U_123456", 1), ("ALT_CORE_B_AX_11_R1", 66), ("ALT_CORE_B_AX_32_C", 1),
     ("ALT_CORE_B_AX_05_E", 1), ("ALT_NOSUCH_B_AX_05_C", 1), ("ALT_CORE_B_XX_05_C", 1), ("ALT_CORE_B_AX_05_U", 1),
     ("ALT_CORE_B_AX_05_C_7", 1), ("DEMO-SAF-001", 1), ("ALT_CORE_B_AX_05_C", -1)],
)  # fmt: skip
def test_a_card_that_cannot_be_encoded_is_refused(ref: str, count: int) -> None:
    with pytest.raises(Malformed) as caught:
        sharecode.write([(ref, count)])
    assert caught.value.code == "bad_code" and (ref in caught.value.message)


@pytest.mark.parametrize(
    "text", ["EFF-SAF-002", "Elsa", "EBAgTTM", "EBAgTTMoAAAA", "EBAATTMo", "FBAgTTMo", "E", "EB gTTMo"]
)
def test_an_invalid_or_incomplete_code_is_read_as_text(text: str) -> None:
    assert sniff(text) == "text"


def test_alternate_arts_promos_and_uniques_can_be_encoded() -> None:
    listed = [("ALT_ALIZE_A_BR_33_R2", 3), ("ALT_CYCLONE_P_OR_104_C", 4), ("ALT_DUSTER_B_NE_02_E", 1),
              ("ALT_CORE_B_YZ_09_U_65535", 1)]  # fmt: skip
    parsed = parse(sharecode.write(listed), catalog_of(*(ref for ref, _ in listed)))
    assert dict(parsed.deck.main) == dict(listed)


REFS = st.builds(
    "ALT_{}_{}_{}_{:02d}_{}".format,
    st.sampled_from(["CORE", "COREKS", "BISE", "DUSTERCB"]),
    st.sampled_from("ABP"), st.sampled_from(list(sharecode.FACTIONS)),
    st.integers(0, 31), st.sampled_from(["C", "R1", "R2", "U_1", "U_65535"]),
)  # fmt: skip


@settings(max_examples=60)
@given(st.dictionaries(REFS, st.integers(1, sharecode.MAX_COPIES), max_size=80))
def test_any_list_survives_encoding_and_decoding(listed: dict[str, int]) -> None:
    read = {line.cards[0]: line.count for line in sharecode.read(sharecode.write(listed.items()))}
    assert read == listed


@settings(max_examples=200)
@given(st.text(alphabet=LETTERS + "=", max_size=60).map("E".__add__))
def test_any_word_that_looks_like_a_code_decodes_to_card_refs(word: str) -> None:
    if sharecode.looks_like(word):
        assert all(re.fullmatch(r"ALT_\w+", line.words) for line in sharecode.read(word))
