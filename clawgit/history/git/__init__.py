"""How are objects, refs, trees and locks of the repository read and written?

Public: repository, trees, tips, refs, storage_errors, libgit2.
"""
