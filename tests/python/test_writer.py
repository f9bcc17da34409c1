import os
import stat

import pytest

from kerneldoc.writer import RecordFile, forget


def test_every_new_file_opens_with_its_first_line_and_only_the_owner_reads_it(tmp_path):
    path = tmp_path / "kerneldoc" / "records-1.ndjson"
    file = RecordFile(path, 30, lambda: b"first\n")
    for number in range(6):
        file.append(b"line %d....\n" % number)
    assert path.read_bytes().startswith(b"first\n")
    assert path.with_name(path.name + ".old").read_bytes().startswith(b"first\n")
    assert b"line 5" in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_writer_appends(tmp_path):
    path = tmp_path / "records-1.ndjson"
    for _ in range(2):
        RecordFile(path, 1 << 20, lambda: b"first\n").append(b"more\n")
    assert path.read_bytes() == b"first\nmore\nmore\n"


def test_a_folder_that_cannot_be_made_raises_each_time_until_it_can(tmp_path):
    blocked = tmp_path / "kerneldoc"
    blocked.write_text("a file where the folder should be")
    file = RecordFile(blocked / "records-1.ndjson", 1 << 20, lambda: b"first\n")
    for _ in range(2):
        with pytest.raises(OSError):
            file.append(b"lost\n")
    blocked.unlink()
    file.append(b"kept\n")
    assert (blocked / "records-1.ndjson").read_bytes() == b"first\nkept\n"


def test_only_our_old_files_are_forgotten(tmp_path):
    for name in ("records-1.ndjson", "records-1.ndjson.old", "crash-2.log", "records-2.ndjson", "notes.txt"):
        (tmp_path / name).write_text("x")
        if name != "records-2.ndjson":
            os.utime(tmp_path / name, (0, 0))
    forget(tmp_path, 30)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["notes.txt", "records-2.ndjson"]
    forget(tmp_path / "missing", 30)
