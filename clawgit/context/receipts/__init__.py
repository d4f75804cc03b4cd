"""What was injected, and how is that told a year later?

Public: keep_receipt, rebuild_context, context_diff, injected_text.
"""
