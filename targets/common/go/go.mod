module kafkaconformance/common

go 1.25

require kafkaconformance/adapter v0.0.0

replace kafkaconformance/adapter => ../../../adapters/go
