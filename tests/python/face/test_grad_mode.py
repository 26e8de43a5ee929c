"""Gradient modes as context managers and decorators."""

from __future__ import annotations

import pytest
import rushlight as torch


def test_no_grad_in_every_form():
    @torch.no_grad()
    def called():
        return torch.is_grad_enabled()

    @torch.no_grad
    def bare():
        return torch.is_grad_enabled()

    assert not called() and not bare()
    with torch.no_grad():
        assert not torch.is_grad_enabled()
        with torch.enable_grad():
            assert torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_mode_is_restored_after_an_error():
    with pytest.raises(ValueError), torch.no_grad():
        raise ValueError
    assert torch.is_grad_enabled()


def test_decorated_generator_keeps_its_mode_to_itself():
    @torch.no_grad()
    def steps():
        got = yield torch.is_grad_enabled()
        yield got, torch.is_grad_enabled()
        return "end"

    generator = steps()
    assert next(generator) is False
    assert torch.is_grad_enabled()
    assert generator.send(5) == (5, False)
    with pytest.raises(StopIteration) as stop:
        next(generator)
    assert stop.value.value == "end"


def test_set_grad_enabled_works_at_once_and_as_context():
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()

    @torch.set_grad_enabled(False)
    def inside():
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled() and not inside()


def test_inference_mode_nests():
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled() and not torch.is_grad_enabled()
        with torch.inference_mode(False):
            assert not torch.is_inference_mode_enabled() and torch.is_grad_enabled()
        assert torch.is_inference_mode_enabled()
    assert not torch.is_inference_mode_enabled()
