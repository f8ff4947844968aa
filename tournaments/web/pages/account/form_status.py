"""Give the pages of allauth's views the statuses of this site."""

from typing import Any

from django.http import HttpResponse
from django.views.generic.base import TemplateResponseMixin

LIMITED = {"too_many_login_attempts", "rate_limited"}


class FormStatus(TemplateResponseMixin):
    """Mixin for a form view: 422 when the form has errors, 429 when too many codes were tried, else 200."""

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Render the page with the status of its forms."""
        errors = [form.errors.as_data() for form in (context.get("form"), context.get("webauthn_form")) if form]
        codes = {error.code for each in errors for found in each.values() for error in found}
        status = 429 if codes & LIMITED else 422 if codes else 200
        return super().render_to_response(context, status=status, **kwargs)
