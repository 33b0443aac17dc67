"""Category, construction and edit labels of a pair."""
