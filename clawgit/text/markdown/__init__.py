"""How is a Markdown file cut into lines, blocks and sections, and changed byte by byte?

Public: lines, merge_lines, block_structure, dialogue_blocks, section_diff.
"""
