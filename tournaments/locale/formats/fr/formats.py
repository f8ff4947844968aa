"""How dates are written: 3 nov. 2026."""

DATE_FORMAT = "j N Y"
DATETIME_FORMAT = "j N Y, H:i"
MONTH_DAY_FORMAT = "l j F"
