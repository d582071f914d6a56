"""What crosses the borders between packages: frozen values and id types, no IO."""
