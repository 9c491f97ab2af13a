"""A scene over time: when its pairs touch, and how near they come."""
