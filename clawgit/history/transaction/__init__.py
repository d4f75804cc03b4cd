"""How does one finished commit reach the files, the staging and the branch, whatever breaks in between?

Public: working_tree.
"""
