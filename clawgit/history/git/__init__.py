"""How are objects, refs, trees and locks of the repository read and written?

Public: repository, lock, trees, objects, libgit2, refs, git_program, leftovers.
"""
