"""How are the derived files rendered?"""
