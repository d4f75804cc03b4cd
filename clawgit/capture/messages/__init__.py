"""How is a message stored and found again?"""
