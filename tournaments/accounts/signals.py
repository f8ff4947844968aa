"""What apps above are told of persons."""

from django.dispatch import Signal

person_erased = Signal()
"""Sent in the transaction of an erasure, with the `person`: whoever keeps text about it forgets it."""
