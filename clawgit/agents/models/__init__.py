"""How is a model asked, and how is its answer checked?

Public: choose_model, model, smart_search, answering_models.
"""
