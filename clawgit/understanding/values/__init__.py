"""Which value takes the place of which?

Public: value_positions.
"""
