"""What is at hand for an operation: the settings in force, the model and the vectors?

Public: model_wiring, open_settings, vector_wiring.
"""
