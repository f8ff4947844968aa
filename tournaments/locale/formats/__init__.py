"""The forms of dates in each language, which `date:"DATE_FORMAT"` and `date_format` take. Django reads them by name."""
