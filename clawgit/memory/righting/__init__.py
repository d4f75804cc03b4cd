"""What a message of the operator's sets right, told by rules: from what was said to how an entry should read. No I/O."""
