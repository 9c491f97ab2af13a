"""Which shapes can touch at all, from their bounds alone: arrays of numbers, no shapes."""
