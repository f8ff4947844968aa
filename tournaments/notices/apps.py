from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "tournaments.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Follow the ledgers, so that entries that concern players cause e-mails."""
        from tournaments.common.ledger import follow
        from tournaments.notices.services import ask_for_letters

        follow(ask_for_letters)
