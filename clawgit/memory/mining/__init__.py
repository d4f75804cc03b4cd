"""What a message says that is worth keeping, told by rules, against what is remembered already. No I/O."""
