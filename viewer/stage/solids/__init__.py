"""Solids: spheres, capsules, cylinders and boxes, in any number and in a few actors."""
