from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "tournaments.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Name the enums of the schema, which drf-spectacular would number where fields have the same name."""
        from drf_spectacular.settings import spectacular_settings

        from tournaments.api.schema import ENUM_NAMES

        spectacular_settings.apply_patches({"ENUM_NAME_OVERRIDES": ENUM_NAMES})  # type: ignore[no-untyped-call]
