"""The Celery application: a task for each kind of job, and a periodic sweep that sends lost messages again."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")

app = Celery("arbitre")
app.config_from_object("tournaments.common.broker:celery_settings")
app.autodiscover_tasks(["tournaments.common"])

# By default, Celery closes the database connection and its pool after every task. Instead, `common.tasks` closes only
# connections that are no longer usable, as Django does between requests. Celery still closes all after 500 tasks.
app.conf["CELERY_DB_REUSE_MAX"] = 500
