"""What the forms of several pages share: fields for players and ranks, and how refusals are shown on a form."""
