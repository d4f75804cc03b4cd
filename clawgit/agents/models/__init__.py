"""How is a model asked, and how is its answer checked?

Public: ask_model, choose_model, model_diagnosis, reranker, token_cost, token_meter, run_program.
"""
