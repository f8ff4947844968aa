"""Live pages: a stream of server-sent events tells each open page what has changed.

`/live/<event>/?token=…&since=…` is a plain ASGI application in front of Django, because an open stream needs no
database connection. Its reader's rights are checked when it opens and whenever they may have changed (`rights.py`,
`admissions.py`). A message is `event: revision` with the data

    {"revision": 17, "topics": ["result:k3f9ab2c"], "parts": {"line-m-2zkgy5xv9c": "<tr …"}, "followers": 900}

- `topics`: what has changed (`topics.py`). The page requests its fragments about these topics again.
- `parts`: elements of the page by their id, as HTML to put in place (`parts.py`). Only pages that asked for parts in
  the address of their stream get any.
- `followers`: how many streams of the event are open, so that pages can spread their requests over time.

An event has a position (`positions.py`). A page carries the position it was rendered at, and a browser that reconnects
sends the last one it has seen, so no change in between is missed. A process learns of changes from PostgreSQL's
notifications, or, on SQLite, by polling four times a second (`wakeups.py`).
"""
