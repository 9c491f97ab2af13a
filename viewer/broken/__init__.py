"""Pictures of broken promises: what was promised beside what is, seen from where the difference shows."""
