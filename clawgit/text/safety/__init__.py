"""Which characters and secrets must not be stored or shown?"""
