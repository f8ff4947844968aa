"""What comes in and what goes out, field by field. Ids are public ones; names are those people chose to show."""
