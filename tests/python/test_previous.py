"""Which death is the one of the previous kernel."""

import json

import pytest

from kerneldoc import previous
from kerneldoc.previous import Here

KERNEL = "b273fb86-3077-4b45-8f28-1c6f8f6fd0c1"


def died(kernel_id, pid, notebook=None):
    record = {"kerneldoc": "record/1", "time": "2026-11-30T15:22:30.411Z", "kind": "kernel.died"}
    return {**record, "kernel_id": kernel_id, "pid": pid, **({"notebook": notebook} if notebook else {})}


@pytest.fixture
def records(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELDOC_RECORDS_DIR", str(tmp_path))

    def write(name, *lines):
        path = tmp_path / name
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return write


def test_the_last_death_of_this_kernel(records):
    file = records("records-1.ndjson", died(KERNEL, 1), died(KERNEL, 2), died("another", 3))
    found, path = previous.last_death(Here(KERNEL, None, file))
    assert (found["pid"], path) == (2, file)


def test_a_new_kernel_of_the_same_notebook(records):
    file = records("records-1.ndjson", died("x", 1, "work/train.ipynb"), died("y", 2, "work/other.ipynb"))
    found, _ = previous.last_death(Here(KERNEL, "/home/ada/work/train.ipynb", file))
    assert found["pid"] == 1


def test_a_notebook_whose_name_only_ends_the_same_is_another(records):
    file = records("records-1.ndjson", died("x", 1, "train.ipynb"))
    assert previous.last_death(Here(KERNEL, "/home/ada/retrain.ipynb", file)) is None


def test_a_server_that_was_restarted_since(records):
    records("records-1.ndjson", died("x", 1, "train.ipynb"))
    file = records("records-2.ndjson")
    found, path = previous.last_death(Here(KERNEL, "/home/ada/train.ipynb", file))
    assert (found["pid"], path.name) == (1, "records-1.ndjson")


def test_without_a_notebook_any_kernel_of_this_server_but_of_no_other(records):
    other = records("records-1.ndjson", died("x", 1))
    file = records("records-2.ndjson", died("y", 2))
    assert previous.last_death(Here(KERNEL, None, file))[0]["pid"] == 2
    file.write_text("")
    assert previous.last_death(Here(KERNEL, None, file)) is None
    assert other.exists()


def test_damaged_lines_and_missing_files_are_no_deaths(records, tmp_path):
    file = records("records-1.ndjson", '{"kind":"kernel.died"', "\n", '["kernel.died"]\n', died(KERNEL, 1))
    assert [record["pid"] for record in previous.deaths(file)] == [1]
    assert list(previous.deaths(tmp_path / "missing")) == []
    assert previous.last_death(Here(None, None, tmp_path / "gone/records-9.ndjson")) is None


def test_a_kernel_knows_itself_by_its_connection_file(monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/ada/a.ipynb")
    monkeypatch.delenv("KERNELDOC_RECORDS", raising=False)
    assert Here.of(f"/run/jupyter/kernel-{KERNEL}.json") == Here(KERNEL, "/home/ada/a.ipynb", None)
    assert Here.of(None).kernel_id is None


def test_the_reported_death_is_the_recorded_one():
    reported = [{"kernel": {"pid": 1}}, {"kernel": {"pid": 2}}, {}]
    assert previous._nearest(reported, died(KERNEL, 1)) == reported[0]
    assert previous._nearest(reported, died(KERNEL, 9)) == {}


def test_the_trace_of_the_crash_is_read_too(records, tmp_path):
    file = records("records-999999.ndjson")
    trace = records("crash-7.log", "Fatal Python error: Segmentation fault\n")
    assert previous._logs(died(KERNEL, 7), file) == [trace]
