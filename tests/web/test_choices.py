"""Form fields whose choices depend on the event."""

import pytest
from django import forms

from tournaments.web.forms.choices import choice_field


class _Form(forms.Form):
    name = forms.CharField()
    game = forms.ChoiceField()


def test_the_choices_of_a_field_can_be_set() -> None:
    form = _Form({"name": "x", "game": "wakfu"})
    choice_field(form, "game").choices = [("wakfu", "Wakfu")]
    assert form.is_valid()


def test_a_field_without_choices_is_named() -> None:
    with pytest.raises(TypeError, match="name"):
        choice_field(_Form(), "name")
