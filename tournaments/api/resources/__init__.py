"""Views of the API.

Each method gets its objects through an access function, reads the input, calls one service, and returns the result as
it is in the database now. *The desk* means the owners, organizers and scorekeepers of an event; *judges* includes head
judges. The docstrings of methods are published in the OpenAPI schema.
"""
