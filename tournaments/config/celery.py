"""The Celery application: one generic task runs any job, a periodic sweep sends again what was lost."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")

app = Celery("arbitre")
app.config_from_object("tournaments.common.broker:celery_settings")
app.autodiscover_tasks(["tournaments.common"])
