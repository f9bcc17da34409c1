"""Control groups as they look from a host, a container and an old host; the files are ours, laid under another root."""

from kerneldoc import cgroup


def lay(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


MOUNT_V2 = "31 23 0:28 {root} /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n"
EVENTS = "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n"


def test_version_2_from_a_host_tells_every_level(tmp_path):
    slice_ = "sys/fs/cgroup/user.slice"
    lay(
        tmp_path,
        {
            "proc/7/cgroup": "0::/user.slice/jupyter.scope\n",
            "proc/7/mountinfo": MOUNT_V2.format(root="/"),
            f"{slice_}/jupyter.scope/memory.events": EVENTS,
            f"{slice_}/jupyter.scope/memory.events.local": "oom_kill 0\n",
            f"{slice_}/jupyter.scope/memory.max": "419430400\n",
            f"{slice_}/jupyter.scope/memory.current": "400000000\n",
            f"{slice_}/jupyter.scope/pids.events": "max 3\n",
            f"{slice_}/memory.max": "max\n",
        },
    )
    own, above, root = cgroup.levels(7, tmp_path)
    assert [level.path for level in (own, above, root)] == ["/user.slice/jupyter.scope", "/user.slice", "/"]
    assert own.depth == 0
    counters = own.counters()
    assert counters["memory_events_oom_kill"] == 1
    assert counters["memory_events_max"] == 12
    assert counters["memory_events_local_oom_kill"] == 0
    assert counters["memory_max_bytes"] == 419430400
    assert counters["pids_events_max"] == 3
    assert own.memory_use() == (400000000, 419430400)
    assert "memory_max_bytes" not in above.counters(), "`max` is no limit"


def test_a_container_sees_its_own_group_as_the_root_of_the_mount(tmp_path):
    lay(
        tmp_path,
        {
            "proc/7/cgroup": "0::/docker/abc\n",
            "proc/7/mountinfo": MOUNT_V2.format(root="/docker/abc"),
            "sys/fs/cgroup/memory.events": EVENTS,
        },
    )
    (own,) = cgroup.levels(7, tmp_path)
    assert own.counters()["memory_events_oom_kill"] == 1


def test_a_sibling_namespace_falls_back_to_what_is_mounted(tmp_path):
    lay(
        tmp_path,
        {
            "proc/7/cgroup": "0::/../other\n",
            "proc/7/mountinfo": MOUNT_V2.format(root="/"),
            "sys/fs/cgroup/memory.events": EVENTS,
        },
    )
    assert cgroup.levels(7, tmp_path)[-1].counters()["memory_events_oom_kill"] == 1


def test_version_1(tmp_path):
    memory = "sys/fs/cgroup/memory/docker/abc"
    lay(
        tmp_path,
        {
            "proc/7/cgroup": "9:name=systemd:/\n8:pids:/docker/abc\n4:memory:/docker/abc\n0::/\n",
            "proc/7/mountinfo": "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
            "39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
            "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
            f"{memory}/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
            f"{memory}/memory.failcnt": "99\n",
            f"{memory}/memory.limit_in_bytes": "9223372036854771712\n",
            f"{memory}/memory.usage_in_bytes": "1024\n",
            "sys/fs/cgroup/pids/docker/abc/pids.events": "max 1\n",
            "sys/fs/cgroup/pids/docker/abc/pids.max": "100\n",
        },
    )
    counters = cgroup.levels(7, tmp_path)[0].counters()
    assert counters["memory_events_oom_kill"] == 2
    assert counters["memory_events_max"] == 99
    assert counters["memory_current_bytes"] == 1024
    assert counters["pids_events_max"] == 1
    assert counters["pids_max"] == 100
    assert "memory_max_bytes" not in counters, "version 1 writes no limit as a huge number"


def test_no_groups_and_damaged_files_are_no_levels(tmp_path):
    assert cgroup.levels(7, tmp_path) == []
    lay(tmp_path, {"proc/7/cgroup": "nonsense\n\n:::\n", "proc/7/mountinfo": "a - b\n - \n"})
    assert cgroup.levels(7, tmp_path) == []
