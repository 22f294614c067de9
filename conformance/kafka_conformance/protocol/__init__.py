"""What goes over the pipe between the suite and an adapter, as bytes."""
