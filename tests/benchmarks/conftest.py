"""The peers may not be installed; only what is asked of them imports them."""

collect_ignore = ["bullet_peer.py", "coal_peer.py", "fcl_peer.py", "mujoco_peer.py"]
