"""Which lines are searched, and how does the index follow them?"""
