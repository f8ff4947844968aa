"""Live pages: one stream of server-sent events a browser says what has moved, and carries what everybody sees of it.

`/live/<event>/?token=…&since=…` is a plain ASGI application, mounted before Django: a stream holds no session and no
database connection. A message is `event: revision` with

    {"revision": 17, "topics": ["result:k3f9ab2c"], "parts": {"line-m-2zkgy5xv9c": "<tr …"}, "followers": 900}

`topics` says what has moved (`topics.py`); a page asks again for its fragments about them. `parts` are elements of the
page by their id, to be put in place as they are (`parts.py`): there are some only for a page that asked for them in the
address of its stream. `followers` is how many streams of the event are open, so that pages spread their requests.

Where an event stands is its position (`positions.py`): the page carries the one it was rendered at, a browser that
reconnects sends the last it saw, and nothing between the two is missed. A process learns that something has moved from
PostgreSQL's notifications, or on SQLite by asking four times a second (`wakeups.py`).
"""
