from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    name = "tournaments.integrations"
    label = "integrations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournaments.common import ledger
        from tournaments.integrations.following import follow

        ledger.follow(follow)
