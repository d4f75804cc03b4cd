"""How is a Markdown file cut into lines, blocks and sections, and changed byte by byte?"""
