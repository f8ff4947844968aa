from django.db import migrations, models


def begin_where_they_end(apps, schema_editor):
    """Tables before this migration were of one version each."""
    tables = apps.get_model("standings", "StandingsTable").objects
    tables.update(first_version=models.F("results_version"))


class Migration(migrations.Migration):

    dependencies = [
        ('standings', '0004_round_counted'),
    ]

    operations = [
        migrations.AddField(
            model_name='standingstable',
            name='first_version',
            field=models.PositiveIntegerField(default=0, help_text='The first version of the results that gives these rows.'),
        ),
        migrations.AddField(
            model_name='standingstable',
            name='took',
            field=models.PositiveIntegerField(default=0, help_text='How long that took to count, in milliseconds.'),
        ),
        migrations.AlterField(
            model_name='standingstable',
            name='computed_at',
            field=models.DateTimeField(help_text='When the results of its newest version were read.'),
        ),
        migrations.AlterField(
            model_name='standingstable',
            name='results_version',
            field=models.PositiveIntegerField(help_text='The newest version of the results that is counted.'),
        ),
        migrations.RunPython(begin_where_they_end, migrations.RunPython.noop),
    ]
