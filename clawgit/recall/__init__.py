"""Finding it again: what a question asks for, the index, ranking, search and get."""
