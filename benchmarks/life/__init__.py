"""Is what an operator last said found, whatever read his sentence, and does memory hold nothing that he did not say?"""
