"""Ninety nights of the soul keeper: orders, contradictions and poison, all planted, and what must hold each morning."""
