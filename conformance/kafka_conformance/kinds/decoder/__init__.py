"""Decoders and encoders of records: the vectors put to them, and what comes judged."""
