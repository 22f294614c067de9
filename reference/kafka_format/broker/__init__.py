"""Does with entries what Kafka's brokers and consumers do: offsets, conversion, delivery."""
