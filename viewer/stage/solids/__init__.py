"""Solids: spheres, capsules and boxes, in any number and in a few actors."""
