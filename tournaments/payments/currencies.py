"""Which provider takes which amounts. Pages ask this often, so it needs no module of a provider."""

from tournaments.payments.money import decimals_of

PAYPAL = (
    *("AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "JPY", "MXN", "MYR", "NOK"),
    *("NZD", "PHP", "PLN", "SEK", "SGD", "THB", "TWD", "USD"),
)
PAYPAL_WITHOUT_DECIMALS = ("HUF", "JPY", "TWD")  # for PayPal, whatever ISO 4217 says


def takes(provider: str, currency: str, cents: int = 0) -> bool:
    """Whether a provider takes a currency, and this amount of it in the smallest unit.

    Which currencies a Stripe account has is up to Stripe, which refuses the others.

    >>> takes("paypal", "HUF", 450_000), takes("paypal", "HUF", 450_050), takes("stripe", "HUF", 450_050)
    (True, False, True)
    """
    if provider != "paypal":
        return True
    whole = currency not in PAYPAL_WITHOUT_DECIMALS or cents % 10 ** decimals_of(currency) == 0
    return currency in PAYPAL and whole
