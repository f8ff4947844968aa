import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0002_group'),
    ]

    operations = [
        migrations.AlterField(
            model_name='club',
            name='group',
            field=models.OneToOneField(help_text='Its owners and organizers: they own what it was given.', on_delete=django.db.models.deletion.PROTECT, to='auth.group'),
        ),
    ]
