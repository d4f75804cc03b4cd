"""Where are the vectors of passages, and who owns them?

Public: owner_client, held_vectors.
"""
