"""What Kafka's brokers and consumers do with entries: offsets, conversion, delivery."""
