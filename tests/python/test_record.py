import json
from datetime import datetime, timedelta, timezone

import pytest

from kerneldoc import record


def test_a_line_begins_with_the_format_the_time_and_the_kind():
    line = record.line("kernel.died", "2026-11-30T15:22:30.411Z", {"pid": 7, "signal": "SIGKILL"})
    assert line == (
        b'{"kerneldoc":"record/1","time":"2026-11-30T15:22:30.411Z","kind":"kernel.died","pid":7,"signal":"SIGKILL"}\n'
    )


def test_what_is_not_known_is_left_out_and_zero_is_known():
    fields = {"pid": None, "notebook": "", "exit_code": 0, "busy": False}
    known = json.loads(record.line("kernel.died", record.now(), fields))
    assert set(known) == {"kerneldoc", "time", "kind", "exit_code", "busy"}


def test_a_line_too_long_becomes_a_note():
    line = record.line("kernel.start", record.now(), {"notebook": "x" * 70_000})
    assert json.loads(line)["kind"] == "note"
    assert len(line) < record.LONGEST_LINE


def test_a_newline_or_a_broken_character_in_a_path_stays_inside_its_record():
    line = record.line("kernel.start", record.now(), {"notebook": "a\nb\udcff.ipynb"})
    assert line.count(b"\n") == 1
    assert json.loads(line)["notebook"] == "a\nb?.ipynb"


@pytest.mark.parametrize(
    ("returncode", "said"),
    [
        (-9, {"signal": "SIGKILL", "signal_number": 9}),
        (-11, {"signal": "SIGSEGV", "signal_number": 11}),
        (-40, {"signal": "SIG40", "signal_number": 40}),
        (0, {"exit_code": 0}),
        (3, {"exit_code": 3}),
        (3221225477, {"exit_code": 3221225477}),
        (None, {}),
    ],
)
def test_how_a_process_ended(returncode, said):
    assert record.ending(returncode) == said


def test_times_are_in_utc_whatever_the_zone():
    noon = datetime(2026, 11, 30, 12, tzinfo=timezone(timedelta(hours=8)))
    assert record.stamp(noon) == "2026-11-30T04:00:00.000Z"
