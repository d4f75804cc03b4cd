"""What speaks against a change, and who may make it all the same?

Public: check, conservation, contents, finding, quarantine.
"""
