from django.apps import AppConfig


class ProfilesConfig(AppConfig):
    name = "tournaments.profiles"
    label = "profiles"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Remove what is stored about persons and accounts when they are erased."""
        from tournaments.accounts.signals import account_erased, person_erased
        from tournaments.profiles.services import forget_account, forget_person

        person_erased.connect(forget_person)
        account_erased.connect(forget_account)
