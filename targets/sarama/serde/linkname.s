// Empty: with it, Go takes functions without a body, as `deserialize` is.
