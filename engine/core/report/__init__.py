"""What an audit finds, and how it is told."""
