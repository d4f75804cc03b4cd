"""What does each worker propose? It reads a view and makes a plan; none of them writes."""
