"""What needs the operator's decision, of whatever kind, and what does his yes or no do?

Public: queue, answers, day_questions, chat_answers.
"""
