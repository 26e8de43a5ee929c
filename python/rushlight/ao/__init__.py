"""Quantisation and pruning toolkits (`torch.ao`): see `torch.ao.quantization`."""
