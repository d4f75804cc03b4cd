"""What turns texts into vectors?

Public: choose_embedder, embedder.
"""
