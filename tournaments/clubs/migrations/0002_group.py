import django.db.models.deletion
from django.db import migrations, models


def make_groups(apps, schema_editor):
    """Give every club a group with its owners and organizers."""
    Club, Group = apps.get_model("clubs", "Club"), apps.get_model("auth", "Group")
    for club in Club.objects.all():
        club.group = Group.objects.create(name=club.public_id)
        club.save(update_fields=["group"])
        managers = club.roles.filter(role__in=("owner", "organizer")).values_list("user", flat=True)
        club.group.user_set.set(set(managers))


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('clubs', '0001_clubs'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='group',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, to='auth.group'),
        ),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
