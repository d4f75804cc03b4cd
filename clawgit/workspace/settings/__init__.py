"""Which settings does CONFIG.md give, and which of them has the operator allowed?"""
