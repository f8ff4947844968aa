from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "tournaments.audits"
    label = "audits"
    default_auto_field = "django.db.models.BigAutoField"
