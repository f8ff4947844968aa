# Loaded with Django, so that tasks and `current_app` use this app; `celery -A tournaments.config` finds it here too.
from tournaments.config.celery import app as celery_app

__all__ = ["celery_app"]
