"""Rule tests of Anima Prime: truth comes from the worked examples and from counting by hand."""
