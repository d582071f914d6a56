"""What dreams found across several memories."""
