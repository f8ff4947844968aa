from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "tournaments.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Keep profiles of other sites out of the database, and note changes of rights for live streams."""
        import_module("tournaments.accounts.connections")
        import_module("tournaments.accounts.rights_changes").follow()
