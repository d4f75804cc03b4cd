"""What becomes of talk that nobody tuned on: corrections, facts and what is neither, through the command line."""
