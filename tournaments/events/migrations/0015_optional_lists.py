from django.db import migrations


def make_optional(apps, schema_editor):
    """Events whose lists nobody judged did not ask for any: theirs stay optional."""
    events = apps.get_model("events", "Event").objects
    events.filter(stages__number=1, stages__deck_format="").update(lists="optional")


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0014_day_of_the_event"),
    ]

    operations = [
        migrations.RunPython(make_optional, migrations.RunPython.noop),
    ]
