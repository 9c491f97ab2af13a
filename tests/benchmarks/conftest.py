"""The peers may not be installed; only what is asked of them imports them. And a script is run, not imported."""

collect_ignore = ["bare_pyvista.py", "bullet_peer.py", "coal_peer.py", "fcl_peer.py", "mujoco_peer.py"]
