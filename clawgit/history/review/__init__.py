"""Which edits of others are kept, held as proposals or put back?"""
