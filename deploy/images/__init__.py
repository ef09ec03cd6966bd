"""Container images: what is in them, and archives of them without a container engine."""
