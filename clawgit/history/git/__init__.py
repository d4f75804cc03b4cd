"""How are objects, refs, trees and locks of the repository read and written?

Public: repository, lock, trees, objects, tips, leftovers, libgit2, refs, storage_errors.
"""
