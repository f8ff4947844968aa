"""Card effects that only Star Safir has: places, keywords, moments, and the host of the interpreter."""
