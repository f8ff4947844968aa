"""An event's staff pages: dashboard, settings, stages, team and ledger."""
