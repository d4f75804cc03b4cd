"""The English patterns of triage, those of the source documents among them."""
