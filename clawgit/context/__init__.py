"""What goes into a prompt, within which budget, and on what does it rest?

Public: assemble_context, audience, note_slots, wanted_context, slot_text, external_sources, soul_news.
"""
