"""A target's reply and a vector's verdict in, an outcome out."""
