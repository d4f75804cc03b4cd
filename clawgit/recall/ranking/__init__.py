"""In which order do the lines answer the question?

Public: answer_confidence, arrangement, shown_lines.
"""
