"""Signals about persons and accounts, for the apps that build on this one."""

from django.dispatch import Signal

person_erased = Signal()
"""Sent with the `person` in the transaction that erases them: receivers must erase any text they store about them."""

person_renamed = Signal()
"""Sent with the `person` in the transaction that changes their names or their consent to show the full name."""

person_replaced = Signal()
"""Sent when an entry typed at the desk (person `old`) is claimed by or merged into `new`, in the same transaction."""

account_erased = Signal()
"""Sent with the `user` in the transaction that erases an account, after its persons: receivers delete what it owns."""
