"""What the tests know of Altered: its cast, its domain of arguments, what it is without each of its rules."""
