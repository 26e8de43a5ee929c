"""The parts of the benchmark package."""
