"""Draws the board of any game as HTML, without Django: on the server, and in the browser of whoever records a game.

- `reading.read_board` turns the JSON of a board (`engine.core.shown.views.board`) into what there is to draw.
- `drawing.draw` turns that into HTML; `board.css` gives it the geometry of its game.
- `tables` says which zones of a game lie beside each other, `faces` what a card shows besides its figures.
"""
