"""What everything else is written with: JSON, errors, phrases and rule registers."""
