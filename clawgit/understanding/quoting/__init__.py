"""Whose words is a passage: the writer's own, or something pasted, quoted or forwarded?

Public: pasted_texts.
"""
