"""What lies inside keys, values and headers: schema ids, and what Kafka's programs write.

A record does not say what is in it. `readings` says what there is to see, what bears it out, and
whether that is enough.
"""

from kafka_format.content.readings import Evidence, Reading, read_key, read_value

__all__ = ["Evidence", "Reading", "read_key", "read_value"]
