from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "tournaments.demo"
    label = "demo"
