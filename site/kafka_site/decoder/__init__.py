"""The decoder in the page: layouts as data, the scripts that read them, and what they need."""
