"""Other programs' protocols: how bots and match managers talk to the engine."""
