"""What is at hand for an operation: the settings in force, the model, the vectors, and the account's service?

Public: model_wiring, open_settings, standing, vector_wiring.
"""
