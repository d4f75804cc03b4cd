"""What goes into a prompt, within which budget, and on what does it rest?

Public: assemble_context, wanted_context, file_slots, host_file, slots, external_sources, soul_news, receipts, injected_text, kept_lines.
"""
