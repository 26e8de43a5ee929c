"""Whether kernels can be compiled with Triton: never, they need a GPU."""


def has_triton_package() -> bool:
    """False."""
    return False


def has_triton() -> bool:
    """False."""
    return False
