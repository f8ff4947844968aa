"""Checks of signed heads: whether the ledger was cut short or rewritten since a head was handed out.

Signing is in `common.heads`; the reasons are in docs/decisions/0016-a-signed-head-handed-out.md.
"""

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.lines import SIGNED_HEAD
from tournaments.archive.reading import EventFile
from tournaments.common import heads, ledger
from tournaments.common.heads import SignedHead


def head_faults(head: SignedHead) -> Faults:
    """Compare a head that was handed out with the ledger in the database.

    Yields faults for a wrong signature or an unknown key, for a chain that no longer contains the entry of the head,
    and for a chain that is itself broken.
    """
    where = f"{head.chain} #{head.number}"
    if not heads.is_signed(head):
        yield Fault("signature_wrong", where=where)
    elif head.key not in heads.public_keys():
        yield Fault("key_unknown", where=where, detail=head.key)
    if not heads.contains_head(head):
        yield Fault("head_gone", where=where, detail=head.hash)
    for fault in ledger.faults(head.chain):
        yield Fault("chain_broken", where=head.chain, detail=fault)


def signed_head_faults(file: EventFile) -> Faults:
    """Yield faults for a file without exactly one signed head, or whose head is not its ledger's or is wrongly signed.

    The signature is checked with the key in the file itself, so a file from another installation can be verified
    (see `is_from_elsewhere`).
    """
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
    """Whether a file was signed with a key that this installation does not have."""
    return any(row["key"] not in heads.public_keys() for row in file[SIGNED_HEAD])
