"""Who holds the vectors for all that ask, while the service runs and where none does?"""
