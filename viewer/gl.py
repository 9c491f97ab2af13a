def ensure_offscreen(): pass
def confirm(): pass
