"""What does the Memory Miner keep of the messages?

Public: mining_round.
"""
