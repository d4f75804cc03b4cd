"""Where does a statement of memory come from?"""
