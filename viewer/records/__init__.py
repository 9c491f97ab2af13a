"""What a picture is made of, as plain values: drawables, the theme, texts, sizes."""
