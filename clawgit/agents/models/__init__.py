"""How is a model asked, and how is its answer checked?

Public: ask_model, choose_model, host_model, model_diagnosis, reranker, run_program, token_cost, token_meter.
"""
