"""A head that was handed out, held against the ledger of now: was the ledger cut short or rewritten since?"""

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.lines import SIGNED_HEAD
from tournaments.archive.reading import EventFile
from tournaments.common import heads, ledger
from tournaments.common.heads import SignedHead


def head_faults(head: SignedHead) -> Faults:
    """What does not hold of a head and of the chain it was the end of."""
    where = f"{head.chain} #{head.number}"
    if not heads.is_signed(head):
        yield Fault("signature_wrong", where=where)
    elif head.key not in heads.public_keys():
        yield Fault("key_unknown", where=where, detail=head.key)
    if not heads.is_passed(head):
        yield Fault("head_gone", where=where, detail=head.hash)
    for fault in ledger.faults(head.chain):
        yield Fault("chain_broken", where=head.chain, detail=fault)


def signed_head_faults(file: EventFile) -> Faults:
    """A signed head in a file that is not the end of its ledger, or whose signature does not fit."""
    given = file.head["ledger"]
    lines = file.numbered(SIGNED_HEAD)
    if len(lines) != 1:
        yield Fault("head_differs", where=str(len(lines)))
    for line, row in lines:
        head = SignedHead(**row)
        if (head.chain, head.number, head.hash) != (file.head["event"], given.get("number"), given.get("hash")):
            yield Fault("head_differs", line, f"#{head.number}")
        if not heads.is_signed(head):
            yield Fault("signature_wrong", line, f"#{head.number}")


def is_from_elsewhere(file: EventFile) -> bool:
    """Whether a file was signed by a key that is none of this installation's."""
    return any(row["key"] not in heads.public_keys() for row in file[SIGNED_HEAD])
