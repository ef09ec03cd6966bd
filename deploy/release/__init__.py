"""What a release hands out: images, chart, bills of materials, provenance and checksums, in one folder."""
