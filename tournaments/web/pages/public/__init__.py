"""Pages that anybody can open: the home page, events, big screens, and pages about the site."""
