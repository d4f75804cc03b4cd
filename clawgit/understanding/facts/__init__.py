"""What does a message say that is worth keeping, and where does it belong?"""
