"""Random networks, and whether they give the same whatever passes and plans make of them."""
