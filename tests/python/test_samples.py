from kerneldoc.samples import KEPT, NOTABLE_BYTES, QUIET_SECONDS, Samples


def sample(size):
    return {"tree_rss_bytes": size}


def test_a_quiet_kernel_writes_little_and_a_death_gets_the_rest():
    samples = Samples()
    written = [len(samples.add(str(second), second, sample(100))) for second in range(0, 300, 2)]
    assert written == [1] + [0] * 149
    kept = samples.take()
    assert len(kept) == KEPT, "the ring is bounded"
    assert kept[-1][0] == "298"
    assert samples.take() == []


def test_growth_is_written_at_once_with_the_step_before_it():
    samples = Samples()
    samples.add("0", 0, sample(100))
    samples.add("2", 2, sample(100))
    assert [time for time, _ in samples.add("4", 4, sample(100 + NOTABLE_BYTES))] == ["2", "4"]


def test_now_and_then_a_quiet_kernel_is_written_too():
    samples = Samples()
    samples.add("0", 0, sample(100))
    assert samples.add("later", QUIET_SECONDS, sample(100)) != []


def test_a_sample_without_a_size_is_none():
    assert Samples().add("0", 0, {}) == []
