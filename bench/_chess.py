"""The peer's games: PGN text of random legal games."""

import random
from io import StringIO

import chess
import chess.pgn


def pgn_texts(lengths: list[int]) -> list[str]:
    """PGN of random legal games, one for each number of half moves, in all as many as asked for."""
    chance, texts, owed = random.Random(7), [], 0
    for length in lengths:
        owed += length
        while owed:
            game, made = _game(chance, owed)
            texts.append(str(game))
            owed -= made
    return texts


def _game(chance: random.Random, most: int) -> tuple[chess.pgn.Game, int]:
    """A game of at most so many half moves, and how many it has."""
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
    """What the peer does with a text: read it, every move checked."""
    return chess.pgn.read_game(StringIO(text))
