"""What turns texts into vectors: a packaged model, a folder on this machine, or a service that the operator named."""
