from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "tournaments.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Follow the ledgers, so that entries that concern players cause notifications, and the erasure of accounts."""
        from tournaments.accounts.signals import account_erased
        from tournaments.common.ledger import follow
        from tournaments.notices.devices import forget_devices
        from tournaments.notices.services import ask_for_notices

        follow(ask_for_notices)
        account_erased.connect(lambda sender, user, **_more: forget_devices(user=user), weak=False)
