"""Generic item models: they know ids and values, not what these mean."""
