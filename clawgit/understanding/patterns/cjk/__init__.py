"""The Chinese, Japanese and Korean patterns of triage."""
