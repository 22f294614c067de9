module kafkaconformance/adapter

go 1.25
