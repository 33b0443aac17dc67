"""Download files: resumed, checked, atomic; of a large zip only the needed members."""
