"""Request and response bodies of the API, field by field.

Ids are public ids, never primary keys of people or events; names are the ones that people chose to show.
"""
