"""Amounts of money: whole numbers of a currency's smallest unit, such as cents, and how they are written."""

from decimal import Decimal

from babel.numbers import get_currency_precision, list_currencies
from django.utils.formats import number_format

MOST_DECIMALS = 2  # what the library's amounts have room for; dinars with three decimals are not taken


def is_currency(code: str) -> bool:
    """Whether it is the ISO 4217 code of a currency with at most two decimals."""
    return code in list_currencies() and get_currency_precision(code) <= MOST_DECIMALS


def decimals_of(currency: str) -> int:
    """The decimals of a currency: 2 for EUR, 0 for JPY.

    >>> decimals_of("EUR"), decimals_of("JPY")
    (2, 0)
    """
    return int(get_currency_precision(currency))


def as_decimal(cents: int, currency: str) -> Decimal:
    """An amount in whole units, with its decimals.

    >>> as_decimal(1250, "EUR"), as_decimal(1250, "JPY")
    (Decimal('12.50'), Decimal('1250'))
    """
    return Decimal(cents).scaleb(-decimals_of(currency))


def shown(cents: int, currency: str) -> str:
    """An amount as pages show it, with the decimal sign of the page's language.

    >>> shown(1250, "EUR"), shown(1250, "JPY")
    ('12.50 EUR', '1250 JPY')
    """
    return f"{number_format(as_decimal(cents, currency), decimals_of(currency))} {currency}"
