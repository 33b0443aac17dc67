"""Neural models: downloads from the Hugging Face hub, weight files, the device to run on, and padded batches."""
