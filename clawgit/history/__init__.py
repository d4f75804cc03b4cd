"""How does the workspace's git repository change, and what does it say about each change?"""
