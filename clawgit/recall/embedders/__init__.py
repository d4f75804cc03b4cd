"""What turns texts into vectors?

Public: choose_embedder, fetch_model, embedder, open_embedder.
"""
