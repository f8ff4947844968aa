"""The effect language: what cards may say (`language`), a card's effects once read (`program`), and how they resolve.

A game plugs in by a `host.Host`, which its states carry in their terms. `force` says what is in force on the mat,
`selection` what a selector reaches, `triggers` and `would` what an event sets going or is replaced by,
`interpreter` resolves frames, `operations`, `knowledge` and `destruction` are the operations.
"""
