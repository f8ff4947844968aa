from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "tournaments.events"
    label = "events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals of persons: recompute shown names after a rename, delete personal data on erasure."""
        from tournaments.accounts.signals import person_erased, person_renamed, person_replaced
        from tournaments.events.approval import forget_reasons
        from tournaments.events.bans import follow_person as move_bans
        from tournaments.events.bans import forget_bans
        from tournaments.events.consent import follow_person as move_consents
        from tournaments.events.consent import forget_consents
        from tournaments.events.entry_invitations import follow_replaced, forget_person
        from tournaments.events.invitations import forget_addresses
        from tournaments.events.listing import forget_guests
        from tournaments.events.naming import follow_person
        from tournaments.events.pairing_settings import forget
        from tournaments.events.questions import follow_person as move_answers
        from tournaments.events.questions import forget_answers

        person_renamed.connect(follow_person)
        person_erased.connect(forget)
        person_erased.connect(forget_addresses)
        person_erased.connect(forget_person)
        person_replaced.connect(follow_replaced)
        person_erased.connect(forget_answers)
        person_erased.connect(forget_bans)
        person_erased.connect(forget_consents)
        person_replaced.connect(move_bans)
        person_replaced.connect(move_consents)
        person_replaced.connect(move_answers)
        person_erased.connect(forget_guests)
        person_erased.connect(forget_reasons)
