"""Ratios against the git program, side by side in one run; a benchmark reports, it never fails."""
