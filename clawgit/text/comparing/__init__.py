"""How alike are two texts, and in which words and values do they differ?"""
