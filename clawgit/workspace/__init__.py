"""The folder: layout, settings and CONFIG.md, templates, trust, safe file access."""
