"""What programs besides the engine itself import: the engine in plain values and in the reader's words.

from engine import face

face.audits.audit(text)["verdict"]
face.live.LiveGame(header, entries, catalogs).legal_moves(("A",))
"""

from engine.face import audits, boards, effects, lists, live, tables

__all__ = ["audits", "boards", "effects", "lists", "live", "tables"]
