from django.apps import AppConfig


class AnnouncementsConfig(AppConfig):
    name = "tournaments.announcements"
    label = "announcements"
    default_auto_field = "django.db.models.BigAutoField"
