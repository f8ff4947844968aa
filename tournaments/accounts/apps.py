from importlib import import_module

from django.apps import AppConfig

from tournaments.common import backups


class AccountsConfig(AppConfig):
    name = "tournaments.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Keep profiles of other sites out of the database, and follow changes of rights and erasures."""
        import_module("tournaments.accounts.connections")
        import_module("tournaments.accounts.rights_changes").follow()
        erasures = import_module("tournaments.accounts.erasures")
        backups.before_copy.connect(erasures.complete_journal)
        backups.restored.connect(erasures.apply_journal)
