"""Profiles: events, blocks, tables, traces, schedules."""

import json
import threading

import rushlight as torch
from rushlight.profiler import ProfilerAction, _ExperimentalConfig, profile, record_function, schedule


def test_events_nest_in_blocks():
    x = torch.ones(8, 8)
    with profile() as prof:
        with record_function("block"):
            x @ x
    averages = {e.key: e for e in prof.key_averages()}
    assert averages["block"].count == 1
    assert any(key.startswith("aten::") for key in averages)
    block = next(e for e in prof.events() if e.name == "block")
    assert block.cpu_children and block.self_cpu_time_total <= block.cpu_time_total


def test_table_and_trace(tmp_path):
    with profile() as prof:
        torch.ones(4) + 1
    table = prof.key_averages().table(sort_by="cpu_time_total", row_limit=3)
    assert "Self CPU %" in table and "# of Calls" in table
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(str(path))
    events = json.loads(path.read_text())["traceEvents"]
    assert events and {"name", "ph", "ts", "dur", "pid", "tid"} <= set(events[0])


def test_schedule():
    plan = schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=1)
    names = [plan(i) for i in range(6)]
    a = ProfilerAction
    assert names == [a.NONE, a.NONE, a.WARMUP, a.RECORD, a.RECORD_AND_SAVE, a.NONE]


def test_steps_hand_over_each_recording():
    ready = []
    with profile(
        schedule=schedule(wait=1, warmup=0, active=1, repeat=2), on_trace_ready=ready.append
    ) as prof:
        for _ in range(4):
            torch.ones(2) + 1
            prof.step()
    assert len(ready) == 2


def test_shapes_of_tensors():
    x, w, b = torch.ones(3, 4), torch.ones(4, 5), torch.ones(5)
    with profile(record_shapes=True) as prof:
        for _ in range(2):
            torch.addmm(b, x, w)
        torch.addmm(b, x[:2], w)
        torch.cat([x, x])
        torch.native_layer_norm(x, (4,), None, None, 1e-5)
    events = {e.name: e.input_shapes for e in prof.events()}
    assert events["aten::cat"] == [[[3, 4], [3, 4]]]
    assert events["aten::native_layer_norm"] == [[3, 4], [], []]
    grouped = {(e.key, e.input_shapes): e.count for e in prof.key_averages(group_by_input_shape=True)}
    assert grouped["aten::addmm", "[[5], [3, 4], [4, 5]]"] == 2
    assert grouped["aten::addmm", "[[5], [2, 4], [4, 5]]"] == 1
    assert "Input Shapes" in prof.key_averages(group_by_input_shape=True).table()
    with profile() as prof:
        x + x
    assert all(e.input_shapes == [] for e in prof.events())


def test_threads_that_start_meanwhile():
    def work():
        torch.ones(3).exp()

    def events(config):
        with profile(experimental_config=config) as prof:
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            torch.ones(2).log()
        return {e.name: e.thread for e in prof.events()}

    assert "aten::exp" not in events(None)
    found = events(_ExperimentalConfig(profile_all_threads=True))
    assert found["aten::exp"] != found["aten::log"]
    work()
    assert "aten::exp" not in events(None)
