"""HTTP and the command line: the only layer that knows about either."""
