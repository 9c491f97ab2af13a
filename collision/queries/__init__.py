"""Questions about two shapes: distances, contacts, casts, sweeps."""
