"""What does each worker propose? It reads a view and makes a plan; none of them writes.

Public: external_handler, operator_plans, run_agent, session_naming, smart_search.
"""
