"""What speaks against a change, and who may make it all the same?

Public: authority, check, conservation, contents, finding, quarantine.
"""
