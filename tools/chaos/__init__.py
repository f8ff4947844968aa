"""Break a running installation on purpose and check that no action is lost or doubled: `make chaos`.

See `__main__.py`.
"""
