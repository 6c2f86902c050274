"""What everything that trains has in common: checkpoints, first values, updates, batches cut for devices."""
