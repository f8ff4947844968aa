"""Form fields whose choices depend on the event, the match or the reader."""

from django import forms


def choice_field(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """The field `name` of a form.

    Raises KeyError if the form has no such field, TypeError if the field has no choices.
    """
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} has no choices")
    return field
