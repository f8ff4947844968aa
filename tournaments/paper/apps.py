from django.apps import AppConfig


class PaperConfig(AppConfig):
    name = "tournaments.paper"
    label = "paper"
    default_auto_field = "django.db.models.BigAutoField"
