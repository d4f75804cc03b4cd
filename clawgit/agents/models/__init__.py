"""How is a model asked, and how is its answer checked?

Public: ask_model, choose_model, command_model, host_model, model, smart_search.
"""
