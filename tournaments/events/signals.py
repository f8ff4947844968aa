"""Signals that let higher apps (`decks`, `play`) react to entries, sent in the transaction that locks the event."""

from django.dispatch import Signal

coming_in = Signal()
"""Sent with the `event` before the desk enters anybody into a running event. A receiver may raise a `Refusal`, as
`play` does once round 1 is paired.
"""

came_in = Signal()
"""Sent with the `event`, the `entrants` (a list), `by`, `now` and the `number` of the ledger entry after the desk
entered them. Receivers create what an entry needs beyond its row, such as a late decklist submission.
"""

lists_came = Signal()
"""Sent after `came_in` with the `event`, `by`, `now`, the `source` and the `lists` of entrants: for each, the entrant,
its line in the file (0 for none) and the text of its decklist. A receiver requests a job that submits them.
"""

member_left = Signal()
"""Sent with the `event`, the `team`, `by` and `now` after a member left a team, with their decklists."""
