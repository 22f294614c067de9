"""Records of Kafka's own topics as a release reads them, which is looser than their schemas are."""
