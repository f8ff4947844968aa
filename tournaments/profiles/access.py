"""Permissions for public profiles: the functions through which views get them.

A profile that is switched off does not exist for anybody: a 404, as for a person who never had one.
"""

from django.http import Http404

from tournaments.profiles.models import Profile


def profile_for_viewer(who: str) -> Profile:
    """The profile that addresses name `who` (see `models.address_of`); 404 if there is none."""
    wanted = {"short_name": who[1:].lower()} if who.startswith("@") else {"person__public_id": who}
    found = Profile.objects.filter(**wanted).select_related("person").first()
    if found is None:
        raise Http404
    return found
