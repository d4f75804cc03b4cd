"""When is an entry's time over, and where does it go?

Public: expiry, retired_entries.
"""
