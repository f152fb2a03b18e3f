"""The engine for any rules. It plays where no special engine does, for example in misère."""
