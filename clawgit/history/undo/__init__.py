"""How is one change taken back, and what goes with it?"""
