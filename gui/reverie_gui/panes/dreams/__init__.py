"""What dreams did, step by step, and the way back."""
