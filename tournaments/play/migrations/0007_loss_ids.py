import tournaments.play.models
from django.db import migrations, models


def name_losses(apps, schema_editor):
    for loss in apps.get_model("play", "Loss").objects.filter(public_id=None):
        loss.public_id = tournaments.play.models.loss_id()
        loss.save(update_fields=["public_id"])


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0006_losses'),
    ]

    operations = [
        migrations.AddField(
            model_name='loss',
            name='public_id',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        migrations.RunPython(name_losses, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='loss',
            name='public_id',
            field=models.CharField(default=tournaments.play.models.loss_id, editable=False, max_length=20, unique=True),
        ),
    ]
