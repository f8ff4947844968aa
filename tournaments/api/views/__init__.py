"""Views of the API: access, input, one service, answer."""
