"""Launching on Xeon processors (`torch.backends.xeon`): use `taskset`; threads follow the process affinity."""
