"""Wrappers for activation checkpoints in parallel training: absent."""
