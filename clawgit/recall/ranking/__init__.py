"""In which order do the lines answer the question?

Public: results.
"""
