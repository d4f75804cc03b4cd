"""git's hooks: where git looks for them, putting clawgit's there beside others, and what each of them checks."""
