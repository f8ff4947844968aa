from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "tournaments.clubs"
    label = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Take erased accounts out of their clubs."""
        from tournaments.accounts.signals import account_erased
        from tournaments.clubs.services import forget_account

        account_erased.connect(forget_account)
