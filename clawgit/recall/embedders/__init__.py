"""What turns texts into vectors?

Public: choose_embedder, fetch_model, open_embedder.
"""
