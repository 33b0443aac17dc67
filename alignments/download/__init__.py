"""Download the files of OPUS. Interrupted downloads are resumed, and only complete files get their final names."""
