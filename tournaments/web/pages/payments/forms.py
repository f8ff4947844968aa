"""Forms for prices, codes, payments and refunds. Amounts are typed in whole units, such as 12.50."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.payments.models import Payment
from tournaments.payments.money import as_decimal, decimals_of, shown
from tournaments.payments.providers import title_of
from tournaments.payments.selectors import Price
from tournaments.payments.services import LONGEST_CODE, LONGEST_NAME, MOST_CENTS, MOST_COUNT
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.moments import moment_field
from tournaments.web.words.payments import price_words


class AmountField(forms.DecimalField):
    """An amount of a currency; `cents` turns what was typed into its smallest unit."""

    def __init__(self, *, currency: str, **kwargs: Any) -> None:
        most = as_decimal(MOST_CENTS, currency)
        super().__init__(
            min_value=as_decimal(1, currency), max_value=most, decimal_places=decimals_of(currency), **kwargs
        )
        self.currency = currency

    def cents(self, amount: Decimal | None) -> int | None:
        """The amount in the smallest unit; None if nothing was typed."""
        return None if amount is None else int(amount.scaleb(decimals_of(self.currency)))


class PriceForm(forms.Form):
    """A price: name, amount, from when until when, and how often it is sold."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    opens_at = moment_field(gettext_lazy("Offered from"), gettext_lazy("Leave blank to offer it at once."))
    closes_at = moment_field(
        gettext_lazy("Offered until"), gettext_lazy("Leave blank to offer it as long as entries can be paid.")
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many"),
        help_text=gettext_lazy("Leave blank for no limit."),
        required=False,
        min_value=1,
        max_value=MOST_COUNT,
    )
    field_order = ("name", "cents", "opens_at", "closes_at", "count")

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["cents"] = AmountField(currency=currency, label=_("Price in %(currency)s") % {"currency": currency})
        self.order_fields(self.field_order)

    def clean_cents(self) -> int | None:
        """The price in the smallest unit."""
        return _cents(self, "cents")


class CodeForm(forms.Form):
    """A code: the word, what it takes off, how often and until when."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("2 to 30 letters and digits, such as CLUB-10. Capitals make no difference."),
        max_length=LONGEST_CODE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    percent = forms.IntegerField(
        label=gettext_lazy("Percent off"),
        help_text=gettext_lazy("100 makes the entry free."),
        required=False,
        min_value=1,
        max_value=100,
    )
    uses = forms.IntegerField(
        label=gettext_lazy("How many uses"),
        help_text=gettext_lazy("Leave blank for no limit."),
        required=False,
        min_value=1,
        max_value=MOST_COUNT,
    )
    until = moment_field(gettext_lazy("Until"), gettext_lazy("Leave blank for no end date."))
    field_order = ("code", "percent", "cents_off", "uses", "until")

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label = _("Or amount off, in %(currency)s") % {"currency": currency}
        self.fields["cents_off"] = AmountField(currency=currency, label=label, required=False)
        self.order_fields(self.field_order)

    def clean_cents_off(self) -> int | None:
        """The amount in the smallest unit, or None."""
        return _cents(self, "cents_off")


def _cents(form: forms.Form, name: str) -> int | None:
    field = form.fields[name]
    return field.cents(form.cleaned_data[name]) if isinstance(field, AmountField) else None


class PayForm(forms.Form):
    """Which price is paid, if there are several, with which code, and through which of several providers."""

    price = forms.ChoiceField(label=gettext_lazy("Price"), widget=forms.RadioSelect)
    code = forms.CharField(
        label=gettext_lazy("Discount code"),
        help_text=gettext_lazy("Leave blank if there is none."),
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    provider = forms.ChoiceField(label=gettext_lazy("Payment method"), widget=forms.RadioSelect)

    def __init__(
        self, *args: Any, prices: Sequence[Price], codes: bool, providers: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if len(prices) < 2:
            del self.fields["price"]
        else:
            choice_field(self, "price").choices = [(price.id, price_words(price)) for price in prices]
            self.initial["price"] = prices[0].id
        if not codes:
            del self.fields["code"]
        if len(providers) < 2:
            del self.fields["provider"]
        else:
            choice_field(self, "provider").choices = [(name, title_of(name)) for name in providers]
            self.initial["provider"] = providers[0]


class RefundForm(forms.Form):
    """How much of a payment is given back. `key` is made with the form, so that sending it twice refunds once."""

    key = forms.CharField(widget=forms.HiddenInput, max_length=60)

    def __init__(self, *args: Any, payment: Payment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        left = shown(payment.left_cents, payment.currency)
        self.fields["cents"] = AmountField(
            currency=payment.currency,
            label=_("Amount in %(currency)s") % {"currency": payment.currency},
            help_text=_("Leave blank to refund all that is left: %(left)s.") % {"left": left},
            required=False,
        )

    def clean_cents(self) -> int | None:
        """The amount in the smallest unit, or None for all that is left."""
        return _cents(self, "cents")
