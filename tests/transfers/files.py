"""Small files of other programs, for tests in which only their being there matters."""

from tournaments.swiss import trf

TRF = trf.write(
    trf.Tournament(
        (
            trf.Competitor(1, "Player 1", (trf.Entry(2, "w", "1"),), half_points=2),
            trf.Competitor(2, "Player 2", (trf.Entry(1, "b", "0"),)),
        ),
        (("012", "Chess of the Kites"), ("XXR", "3")),
    )
).encode()
"""Two players who have met in the first of three rounds."""
