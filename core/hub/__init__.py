"""Neural models: download from the hub, weight files, choice of the device, padded batches."""
