"""The ledger of corrections, and the entries that it holds to what was set right. No I/O."""
