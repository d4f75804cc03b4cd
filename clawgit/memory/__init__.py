"""What is remembered: entries, their ids, where each comes from, and which file belongs to which tier. No I/O.

`righting` tells what a message sets right, `ledger` holds to it, `mining` tells what is worth keeping, `units` takes
steps of a text back.
"""
