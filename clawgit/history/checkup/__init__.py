"""What `doctor` looks at, a module for each kind of thing; none of it trusts what it looks at."""
