"""Which value takes the place of which?"""
