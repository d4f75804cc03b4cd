"""What is an entry, and in which file does it belong?"""
