"""What are the words of a text, in each language?"""
