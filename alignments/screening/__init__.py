"""What is left out before anything is translated."""
