"""What apps above are told of persons."""

from django.dispatch import Signal

person_erased = Signal()
"""Sent in the transaction of an erasure, with the `person`: whoever keeps text about it forgets it."""

person_renamed = Signal()
"""Sent in the transaction in which a `person` gets another name, or lets everybody read the whole one."""

person_replaced = Signal()
"""Sent in the transaction in which an entry typed at a desk turns out to be the `new` person's, with the `old` one."""
