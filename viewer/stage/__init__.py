"""What draws: the only part that knows PyVista and VTK."""
