"""The tutorial: the decoders of site/tutorial by steps, and what the suite says of each step."""
