"""Networks of mx.models held against real MXNet 1.9.1."""
