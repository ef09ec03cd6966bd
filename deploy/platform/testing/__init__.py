"""What `./run test` runs, and how it is told."""
