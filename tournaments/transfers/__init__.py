"""Files of other programs: what each is, what it holds, and what becomes of it here."""
