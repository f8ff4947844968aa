"""Move logs and their audits: recording, replay, reports, questions to the engine, and what-if branches."""
