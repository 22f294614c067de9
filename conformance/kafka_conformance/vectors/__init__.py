"""The golden vectors as objects, and as JSON for other languages."""
