"""Which characters and secrets must not be stored or shown?

Public: control_characters, secrets.
"""
