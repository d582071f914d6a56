"""How the window looks: colours, sizes, fonts and icons as data, and the one place that applies them."""
