"""Tabletape for programs that talk to a server: see `tabletape.client`."""
