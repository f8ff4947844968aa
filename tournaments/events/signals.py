"""What apps above are told of events, inside the transaction that holds the event's row."""

from django.dispatch import Signal

coming_in = Signal()
"""Sent with the `event` before the desk enters somebody while it runs: a receiver refuses once rounds are paired."""

came_in = Signal()
"""Sent with the `event`, the `entrants` (a list), `by` and `now` after the desk entered them; `number` is that of the
ledger entry. Whoever keeps more than the entry, such as lists that may still come in, opens it here.
"""
