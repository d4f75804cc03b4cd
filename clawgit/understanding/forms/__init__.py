"""Tables of words and phrases that the rules read."""
