"""How is a transcript of a host read, compacted and pruned?"""
