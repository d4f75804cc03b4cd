"""How much of what the memory miner keeps is worth keeping, and how fast it is."""
