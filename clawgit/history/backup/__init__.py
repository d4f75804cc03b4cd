"""How are the records backed up and restored?"""
