"""How is a model asked, and how is its answer checked?"""
