"""The engines, a room each: they take a position and find moves; the door above picks one."""
