"""What does a question ask for: words, days, a time?

Public: question_dates, question, read_question.
"""
