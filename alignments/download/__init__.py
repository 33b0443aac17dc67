"""Download the files of OPUS: an interrupted download is resumed, and only complete files get their names."""
