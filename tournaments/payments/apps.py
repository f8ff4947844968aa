from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "tournaments.payments"
    label = "payments"
    default_auto_field = "django.db.models.BigAutoField"
