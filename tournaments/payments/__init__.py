"""What an event costs: prices, codes, payments at the desk and through a provider, and refunds."""
