"""A proxy between any client and a real broker: it passes on every frame, and judges each."""
