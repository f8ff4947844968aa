from django.apps import AppConfig


class TransfersConfig(AppConfig):
    name = "tournaments.transfers"
    label = "transfers"
    default_auto_field = "django.db.models.BigAutoField"
