"""How is something found again?"""
