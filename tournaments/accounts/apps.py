from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "tournaments.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the receiver that keeps profiles of other sites out of the database."""
        import_module("tournaments.accounts.connections")
