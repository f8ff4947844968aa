from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "tournaments.events"
    label = "events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals of persons: recompute shown names after a rename, delete personal data on erasure."""
        from tournaments.accounts.signals import person_erased, person_renamed
        from tournaments.events.invitations import forget_addresses
        from tournaments.events.naming import follow_person
        from tournaments.events.pairing_settings import forget

        person_renamed.connect(follow_person)
        person_erased.connect(forget)
        person_erased.connect(forget_addresses)
