"""Games for the comparison with python-chess: PGN of random legal games."""

import random
from io import StringIO

import chess
import chess.pgn


def pgn_texts(lengths: list[int]) -> list[str]:
    """PGN of random legal games with as many half moves in total as the sum of `lengths`.

    A game that ends before its length is reached is followed by another one.
    """
    chance, texts, owed = random.Random(7), [], 0
    for length in lengths:
        # Games cut short are made up for, so that both sides have the same number of moves.
        owed += length
        while owed:
            game, made = _game(chance, owed)
            texts.append(str(game))
            owed -= made
    return texts


def _game(chance: random.Random, most: int) -> tuple[chess.pgn.Game, int]:
    """A random game of at most `most` half moves, and its actual number of half moves."""
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    board, made = chess.Board(), 0
    while made < most and not board.is_game_over():
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        node = node.add_variation(move)
        made += 1
    return game, made


def read(text: str) -> chess.pgn.Game | None:
    """Read a PGN text with python-chess, which checks that every move is legal."""
    return chess.pgn.read_game(StringIO(text))
