//! The catalogue: every kind of event that parsers may produce and rules may ask for.
//!
//! `docs/events.md` is generated from it. Units stand in field names. The names of fields that identify something
//! (`kernel_id`, `pid`, `container_id`, `container_name`, `pod`, `pod_uid`, `cgroup`, `user`, `unit`, `job`,
//! `notebook`, `gpu`) mean the same in every kind; incidents are joined by them.

use super::macros::catalogue;
use super::{Field, FieldSpec, Kind, Role, Value};

catalogue! {
    // ---------------------------------------------------------------- host: memory

    /// A process asked for memory that was not there, and Linux's OOM killer began to look for a victim.
    OomInvoked "oom.invoked" Context {
        /// The thread that asked; by no means the victim.
        process: String,
        /// Its process id in the host's numbering, when the report gives it.
        pid: i64,
        /// The order of the allocation: 2^order pages in one piece; -1 for `SysRq`.
        order: i64,
        /// The allocation's flags as printed.
        gfp_mask: String,
        /// The running Linux version.
        kernel_version: String,
    }

    /// Linux's OOM killer ended a process.
    OomKill "oom.kill" Ending {
        /// The victim, as the host counts; inside a container the same process has another number.
        pid: i64,
        /// The victim's command name, at most 15 bytes.
        process: String,
        /// What the victim is: `kernel` (python, R, julia …), `server` (jupyter-lab …) or `stranger`.
        victim: String,
        /// Why: `memcg` (a cgroup's limit), `global`, `cpuset`, `mempolicy` or `manual` (`SysRq`).
        scope: String,
        /// The thread that asked for the memory.
        invoker: String,
        /// The order of the allocation: 2^order pages in one piece.
        order: i64,
        /// The allocation's flags as printed.
        gfp_mask: String,
        /// The cgroup whose limit was reached.
        cgroup: String,
        /// The cgroup the victim was in.
        task_cgroup: String,
        /// What kind of thing the limit belongs to: `container`, `pod`, `node` (all pods), `user`, `unit`, `job`,
        /// `guest` or `other`.
        limit_owner: String,
        /// The container of the limit or of the victim, from the cgroup path.
        container_id: String,
        /// The same, if the path says that it is Docker's and no pod's: Docker's commands know no other.
        docker_container: String,
        /// The pod, from the cgroup path.
        pod_uid: String,
        /// The systemd unit, from the cgroup path.
        unit: String,
        /// The batch job, from the cgroup path.
        job: String,
        /// The cgroup's limit.
        limit_bytes: i64,
        /// The cgroup's use at that moment.
        usage_bytes: i64,
        /// Virtual size of the victim.
        total_vm_bytes: i64,
        /// The victim's anonymous resident memory.
        anon_rss_bytes: i64,
        /// The victim's resident file pages.
        file_rss_bytes: i64,
        /// The victim's resident shared memory.
        shmem_rss_bytes: i64,
        /// The three together: what the victim really held.
        rss_bytes: i64,
        /// Shared memory and tmpfs files charged to the cgroup, or of the host.
        shmem_bytes: i64,
        /// Page cache charged to the cgroup.
        file_cache_bytes: i64,
        /// The part of that which still had to be written to disk.
        file_dirty_bytes: i64,
        /// Anonymous memory charged to the cgroup.
        anon_bytes: i64,
        /// The host's RAM.
        ram_bytes: i64,
        /// The host's free memory.
        free_bytes: i64,
        /// Swap space of the host.
        swap_total_bytes: i64,
        /// Free swap space of the host.
        swap_free_bytes: i64,
        /// Linux's own memory that cannot be given back.
        slab_unreclaimable_bytes: i64,
        /// Processes in the report's task table.
        task_count: i64,
        /// The largest process of the task table.
        largest_process: String,
        /// Its process id.
        largest_pid: i64,
        /// Its resident memory.
        largest_rss_bytes: i64,
        /// The victim's `oom_score_adj`.
        oom_score_adj: i64,
        /// The victim's user id.
        uid: i64,
        /// The running Linux version, from the report's `CPU:` line.
        kernel_version: String,
        /// What is reserved as huge pages, used or not.
        huge_pages_bytes: i64,
    }

    /// Linux killed every process of a cgroup together because of `memory.oom.group`.
    OomGroupKill "oom.group_kill" Ending {
        /// The cgroup.
        cgroup: String,
        /// The container, from the cgroup path.
        container_id: String,
    }

    /// The OOM killer found nobody it may kill.
    OomNoVictim "oom.no_victim" Trouble {
        /// The line's own words.
        message: String,
    }

    /// A userspace daemon killed a process or a cgroup for want of memory.
    OomDaemonKill "oom.daemon_kill" Ending {
        /// `systemd-oomd`, `earlyoom`, `nohang`, `oomd`, `talos`, `lowmemorykiller`.
        daemon: String,
        /// The victim.
        pid: i64,
        /// The victim's command name.
        process: String,
        /// The kernel id in the victim's command line.
        kernel_id: String,
        /// The signal sent: `SIGTERM` or `SIGKILL`.
        signal: String,
        /// The cgroup killed.
        cgroup: String,
        /// The systemd unit, from the cgroup path.
        unit: String,
        /// The reason as printed.
        reason: String,
        /// Memory still available, in percent.
        available_percent: f64,
        /// Memory pressure, in percent.
        pressure_percent: f64,
        /// How many processes were killed.
        killed_count: i64,
        /// Resident memory of the victim.
        rss_bytes: i64,
    }

    // ---------------------------------------------------------------- host: faults

    /// Linux saw a process touch memory it may not touch.
    FaultSegfault "fault.segfault" Ending {
        /// The process (on x86 the faulting thread) in the host's numbering.
        pid: i64,
        /// Its command name.
        process: String,
        /// What it is: `kernel`, `server` or `stranger`.
        victim: String,
        /// The address it touched.
        address: String,
        /// The library the code was in.
        library: String,
        /// `yes` if the address lies next to the stack pointer.
        near_stack_pointer: String,
    }

    /// Linux saw a process trap: illegal instruction, division by zero, int3 …
    FaultTrap "fault.trap" Ending {
        /// The process in the host's numbering.
        pid: i64,
        /// Its command name.
        process: String,
        /// What it is: `kernel`, `server` or `stranger`.
        victim: String,
        /// The trap: `invalid opcode`, `divide error`, `int3`, `general protection` …
        trap: String,
        /// The library the code was in.
        library: String,
    }

    // ---------------------------------------------------------------- host: machine

    /// The host started.
    HostBoot "host.boot" Ending {
        /// The Linux version.
        kernel_version: String,
    }

    /// The host was told to shut down or restart.
    HostShutdown "host.shutdown" Ending {
        /// The line's own words.
        message: String,
    }

    /// Linux said which wall-clock time it set at boot.
    HostClockSet "host.clock_set" Context {
        /// Seconds since the Unix epoch.
        epoch_seconds: i64,
    }

    /// Linux panicked.
    HostPanic "host.panic" Ending {
        /// What it said.
        message: String,
    }

    /// A CPU or a task is stuck in Linux.
    HostLockup "host.lockup" Trouble {
        /// `soft lockup`, `hard lockup`, `hung task`, `rcu stall`, `oops` (a fault of Linux's own code).
        what: String,
        /// The stuck process.
        process: String,
        /// Its process id.
        pid: i64,
        /// For how long.
        seconds: i64,
    }

    /// A memory module, CPU or bus reported a hardware error.
    HostHardwareError "host.hardware_error" Ending {
        /// `memory`, `mce`, `pcie`.
        what: String,
        /// The process killed for it.
        pid: i64,
        /// Its command name.
        process: String,
        /// The line's own words.
        message: String,
    }

    /// A disk, file system or network file system failed or is full.
    StorageError "storage.error" Trouble {
        /// `full`, `quota`, `io`, `read-only`, `nfs-stalled`, `lock`.
        what: String,
        /// The path or device.
        path: String,
        /// The errno, where one was printed.
        errno: i64,
        /// The line's own words.
        message: String,
    }

    /// A limit on processes, files, addresses or CPU time was hit.
    LimitReached "limit.reached" Trouble {
        /// `pids`, `files`, `address-space`, `cpu-time`, `memory-commit`, `system-call` (a seccomp filter killed).
        what: String,
        /// The process.
        pid: i64,
        /// Its command name.
        process: String,
        /// The cgroup of the limit.
        cgroup: String,
        /// The container, from the cgroup path.
        container_id: String,
        /// The line's own words.
        message: String,
    }

    /// A systemd unit ended or was stopped.
    UnitStopped "unit.stopped" Context {
        /// The unit.
        unit: String,
        /// The result: `oom-kill`, `timeout`, `signal`, `core-dump`, `exit-code`, `success`, `stopping`, `stopped`.
        result: String,
        /// The main process's exit code.
        exit_code: i64,
        /// The main process's signal.
        signal: String,
        /// The line's own words.
        message: String,
    }

    /// systemd killed a process of a unit that it was stopping.
    UnitProcessKilled "unit.process_killed" Context {
        /// The unit.
        unit: String,
        /// The process.
        pid: i64,
        /// Its command name.
        process: String,
        /// The signal.
        signal: String,
    }

    /// systemd saw that the OOM killer had ended a process of a unit, a child perhaps; the unit may go on.
    UnitOom "unit.oom" Trouble {
        /// The unit; a slice where an ancestor repeats it.
        unit: String,
        /// The container, when the unit is its scope.
        container_id: String,
        /// The line's own words.
        message: String,
    }

    /// The host went to sleep or woke up.
    HostSuspended "host.suspended" Context {
        /// The line's own words.
        message: String,
    }

    /// A login session ended: what still hung on its terminal was hung up.
    SessionClosed "session.closed" Context {
        /// Whose session.
        user: String,
        /// Through what: `sshd`, `login`, `gdm-password` …
        service: String,
        /// The line's own words.
        message: String,
    }

    /// The files of a cgroup say how often its limits were felt since it began. They have no time of their own.
    CgroupCounters "cgroup.counters" Context {
        /// Times that a use above `memory.high` was slowed down.
        high_count: i64,
        /// Times that the limit was about to be passed and pages were reclaimed first.
        max_count: i64,
        /// Times that the limit was reached and nothing could be reclaimed.
        oom_count: i64,
        /// Processes of it that an OOM killer ended, for whatever limit.
        oom_kill_count: i64,
        /// Times that all of it was killed together.
        oom_group_kill_count: i64,
        /// 1 while its tasks stand still at the limit, because its OOM killer is off.
        under_oom_count: i64,
        /// Periods in which its CPU quota was used up.
        throttled_count: i64,
        /// The share of the last ten seconds in which all its tasks waited for memory, in percent.
        full_pressure_percent: f64,
        /// The first line's own words.
        message: String,
        /// The cgroup, from the path of its files.
        cgroup: String,
        /// The container, from that path.
        container_id: String,
        /// The limit on memory (`memory.max`, `memory.limit_in_bytes`); absent if there is none.
        limit_bytes: i64,
        /// Where slowing down begins (`memory.high`); absent if nowhere.
        high_bytes: i64,
        /// The use (`memory.current`, `memory.usage_in_bytes`).
        usage_bytes: i64,
        /// The highest use (`memory.peak`, `memory.max_usage_in_bytes`).
        peak_bytes: i64,
        /// `yes` if the OOM killer is switched off for it (`memory.oom_control`).
        oom_kill_disabled: String,
        /// The limit on processes and threads (`pids.max`).
        pids_limit: i64,
        /// How many there are (`pids.current`).
        pids_count: i64,
        /// How many were refused (`pids.events`).
        pids_refused_count: i64,
        /// Periods in which its CPU quota counted.
        period_count: i64,
        /// For how long the CPU quota stopped it.
        throttled_seconds: i64,
    }

    /// kerneldoc's recorder compared the counters of cgroup and host before and after a process's end.
    CgroupCountersRose "cgroup.counters_rose" Context {
        /// The kernel whose end it was.
        kernel_id: String,
        /// The process whose end it was.
        pid: i64,
        /// The signal it died of.
        signal: String,
        /// Its exit code, 128 + signal for a signal.
        exit_code: i64,
        /// The cgroup whose limit was reached, or else the process's own.
        cgroup: String,
        /// What kind of thing the limit belongs to, as in `oom.kill`.
        limit_owner: String,
        /// The container, from the cgroup's path.
        container_id: String,
        /// The systemd unit, from the cgroup's path.
        unit: String,
        /// The batch job, from the cgroup's path.
        job: String,
        /// Processes of the process's own cgroup that an OOM killer ended meanwhile; absent if nobody counts them.
        oom_kill_added_count: i64,
        /// Processes that an OOM killer ended meanwhile anywhere on the host.
        host_oom_kill_added_count: i64,
        /// `yes` if the limit of the cgroup, or of one above it, was reached meanwhile; `no` if none of all was.
        limit_reached: String,
        /// Times that a process or a thread was refused meanwhile.
        pids_refused_added_count: i64,
        /// The limit on memory of that cgroup; absent if there is none.
        limit_bytes: i64,
        /// Its use afterwards.
        usage_bytes: i64,
        /// The highest use.
        peak_bytes: i64,
        /// The host's RAM.
        ram_bytes: i64,
        /// The notebook.
        notebook: String,
    }

    /// A log says that lines of it were lost: suppressed, dropped or overwritten. Its silence proves nothing.
    LogLinesLost "log.lines_lost" Context {
        /// How many, where it says.
        lost_count: i64,
        /// The line's own words.
        message: String,
    }

    // ---------------------------------------------------------------- host: containers, orchestrators, schedulers

    /// A container was created or started.
    ContainerStarted "container.started" Context {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// Its image.
        image: String,
        /// `create`, `start`, `restart`, `unpause`.
        action: String,
    }

    /// The engine says that a process of the container was killed by the OOM killer.
    ContainerOom "container.oom" Ending {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// Its image.
        image: String,
    }

    /// The container's first process ended.
    ContainerDie "container.die" Ending {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// Its image.
        image: String,
        /// The exit code, 128 + signal for a signal.
        exit_code: i64,
        /// How long it ran.
        run_seconds: i64,
    }

    /// Somebody sent the container a signal through the engine.
    ContainerKill "container.kill" Context {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// Its image.
        image: String,
        /// The signal's number.
        signal: i64,
    }

    /// Somebody stopped, removed or destroyed the container.
    ContainerStop "container.stop" Context {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// Its image.
        image: String,
        /// `stop`, `destroy`, `remove`, `pause`.
        action: String,
    }

    /// A container's state and limits as `inspect` or a pod's status shows them.
    ContainerState "container.state" Context {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// Its image.
        image: String,
        /// `running`, `exited`, `dead` …
        status: String,
        /// `yes` or `no`: the engine's own flag, which is about any process of the container.
        oom_killed: String,
        /// The exit code of the first process.
        exit_code: i64,
        /// The first process, in the host's numbering.
        pid: i64,
        /// The memory limit; 0 is none.
        memory_limit_bytes: i64,
        /// Memory and swap together; -1 is unlimited.
        memory_swap_limit_bytes: i64,
        /// The size of /dev/shm.
        shm_bytes: i64,
        /// The limit on processes.
        pids_limit: i64,
        /// `yes` if the OOM killer is switched off for it.
        oom_kill_disabled: String,
        /// The engine's own error text.
        error: String,
        /// When it started, seconds since the Unix epoch.
        started_epoch_seconds: i64,
        /// When it ended, seconds since the Unix epoch.
        finished_epoch_seconds: i64,
        /// The restart count.
        restart_count: i64,
    }

    /// The engine could not create or start a container.
    ContainerError "container.error" Trouble {
        /// The container's id.
        container_id: String,
        /// Its name.
        container_name: String,
        /// The image asked for.
        image: String,
        /// What the engine said.
        message: String,
    }

    /// The orchestrator ended a pod or one of its containers.
    PodEnded "pod.ended" Ending {
        /// The pod's name.
        pod: String,
        /// The namespace.
        namespace: String,
        /// The pod's uid.
        pod_uid: String,
        /// The container's name.
        container_name: String,
        /// The container's id.
        container_id: String,
        /// `OOMKilled`, `Evicted`, `Error`, `Completed`, `Preempted`, `ScaleDown`, `DeadlineExceeded`, `NodeLost` …
        reason: String,
        /// What ran out, of an eviction: `memory`, `ephemeral-storage`, `nodefs`, `pids`.
        resource: String,
        /// The exit code.
        exit_code: i64,
        /// The signal.
        signal: i64,
        /// The node.
        node: String,
        /// The message.
        message: String,
    }

    /// Any other event of the orchestrator about a pod, node or volume.
    PodEvent "pod.event" Context {
        /// The pod's name.
        pod: String,
        /// The namespace.
        namespace: String,
        /// The pod's uid.
        pod_uid: String,
        /// The object's kind: `Pod`, `Node` …
        object: String,
        /// The reason: `Killing`, `Unhealthy`, `FailedScheduling`, `FailedMount` …
        reason: String,
        /// The message.
        message: String,
        /// The component that reported it.
        component: String,
        /// How often.
        count: i64,
    }

    /// A batch scheduler ended a job or one of its steps.
    JobEnded "job.ended" Ending {
        /// `slurm`, `pbs`, `lsf`, `sge`, `htcondor`; a CI platform: `github-actions`, `gitlab` …
        scheduler: String,
        /// The job.
        job: String,
        /// The same, if the scheduler is Slurm: each has commands of its own.
        slurm_job: String,
        /// The same, if the scheduler is PBS or Torque.
        pbs_job: String,
        /// The same, if the scheduler is LSF.
        lsf_job: String,
        /// The same, if the scheduler is Grid Engine.
        sge_job: String,
        /// `memory`, `time`, `cancelled`, `preempted`, `node-fail`.
        reason: String,
        /// What the job used.
        used_bytes: i64,
        /// What it may use.
        limit_bytes: i64,
        /// The node.
        node: String,
        /// The state the accounting gives: `TIMEOUT`, `OUT_OF_MEMORY` …
        state: String,
        /// The line's own words.
        message: String,
    }

    /// A file system or a journal was found not to have been closed: the host had stopped without shutting down.
    HostUncleanStop "host.unclean_stop" Context {
        /// The line's own words.
        message: String,
    }

    // ---------------------------------------------------------------- server: the life of a kernel

    /// The Jupyter server started, or said its version.
    ServerStarted "server.started" Context {
        /// The version.
        version: String,
        /// The program: `Jupyter Server`, `Jupyter Notebook`.
        program: String,
        /// The container, from the host name in the server's own URL.
        container_id: String,
    }

    /// A kernel process was started.
    ServerKernelStarted "server.kernel_started" Context {
        /// The kernel.
        kernel_id: String,
        /// The kernelspec's name.
        kernel_name: String,
        /// The kernel's process id, which only the Enterprise Gateway logs.
        pid: i64,
    }

    /// A kernel answered: it lives.
    ServerKernelReady "server.kernel_ready" Context {
        /// The kernel.
        kernel_id: String,
        /// Its process id, from ipykernel's own line at INFO.
        pid: i64,
    }

    /// The automatic restarter noticed that a kernel is gone. The line has no kernel id.
    ServerKernelRestarting "server.kernel_restarting" Death {
        /// The kernel, where the line or its companion gives it.
        kernel_id: String,
        /// Which attempt, from 1.
        attempt: i64,
        /// How many attempts there are.
        limit: i64,
        /// `new` (died within about 15 s of its start) or `keep` (it had been stable) random ports.
        ports: String,
    }

    /// The companion line, one per connected browser: a dead kernel was restarted automatically.
    ServerKernelRestarted "server.kernel_restarted" Death {
        /// The kernel.
        kernel_id: String,
    }

    /// The automatic restarter gave up.
    ServerKernelRestartFailed "server.kernel_restart_failed" Death {
        /// The kernel, where the line gives it.
        kernel_id: String,
    }

    /// A kernel that could not be kept alive was taken off the server's list.
    ServerKernelRemoved "server.kernel_removed" Death {
        /// The kernel.
        kernel_id: String,
    }

    /// A person or a program asked for a restart.
    ServerKernelRestartedByUser "server.kernel_restarted_by_user" Context {
        /// The kernel.
        kernel_id: String,
    }

    /// A person or a program interrupted a kernel.
    ServerKernelInterrupted "server.kernel_interrupted" Context {
        /// The kernel.
        kernel_id: String,
        /// The signal's number, where the API was told to send one.
        signal: i64,
    }

    /// A kernel was ended on request: by the user, by culling, or with the server.
    ServerKernelShutdown "server.kernel_shutdown" Context {
        /// The kernel.
        kernel_id: String,
    }

    /// The server culled a kernel.
    ServerKernelCulled "server.kernel_culled" Death {
        /// The kernel.
        kernel_id: String,
        /// The kernelspec's name.
        kernel_name: String,
        /// `idle`, `busy`, `starting`, `dead`.
        state: String,
        /// Browsers connected to it.
        connections: i64,
        /// For how long it had been inactive.
        idle_seconds: i64,
    }

    /// The server said how it culls.
    ServerCullingPolicy "server.culling_policy" Context {
        /// The idle time after which a kernel is culled.
        idle_seconds: i64,
        /// How often it looks.
        interval_seconds: i64,
        /// `yes` if it also culls busy kernels.
        busy: String,
        /// `yes` if it also culls kernels with a connected browser.
        connected: String,
    }

    /// A kernel did not answer in time.
    ServerKernelUnresponsive "server.kernel_unresponsive" Trouble {
        /// The kernel.
        kernel_id: String,
        /// `kernel_info`, `nudge`, `restart`, `termination`.
        what: String,
        /// The attempt, for nudges.
        attempt: i64,
        /// The time allowed.
        seconds: f64,
    }

    /// A kernel could not be started at all.
    ServerKernelStartFailed "server.kernel_start_failed" Trouble {
        /// The kernel.
        kernel_id: String,
        /// The kernelspec's name.
        kernel_name: String,
        /// `no-such-kernel`, `command`, `timeout`, `exception`; `never-ready` where a runner waited for it in vain.
        what: String,
        /// The line's own words.
        message: String,
    }

    /// A browser asked for a kernel that does not exist (any more).
    ServerKernelUnknown "server.kernel_unknown" Trouble {
        /// The kernel.
        kernel_id: String,
    }

    // ---------------------------------------------------------------- server: its own life

    /// The server was told to stop.
    ServerStopping "server.stopping" Ending {
        /// `signal`, `interrupt` (Ctrl-C), `confirmed` (Ctrl-C and yes), `request` (the shutdown button), `idle`.
        by: String,
        /// The signal's number.
        signal: i64,
        /// For how long it had been idle.
        idle_seconds: i64,
    }

    /// The server shut its kernels down on its way out.
    ServerKernelsStopping "server.kernels_stopping" Context {
        /// How many.
        kernel_count: i64,
    }

    /// A kernel noticed that its server is gone, and ended.
    KernelParentGone "kernel.parent_gone" Ending {
        /// The kernel's process id, where known.
        pid: i64,
    }

    /// The server reported an error of its own.
    ServerError "server.error" Trouble {
        /// `port`, `root`, `config`, `package`, `xsrf`, `crash`, `permissions`, `event-loop`, `database`, `gateway`.
        what: String,
        /// The port, where it is about one.
        port: i64,
        /// The line's own words.
        message: String,
    }

    /// A notebook was saved, opened or run.
    ServerNotebookSaved "server.notebook_saved" Context {
        /// The notebook's path.
        notebook: String,
    }

    // ---------------------------------------------------------------- frontend

    /// Output came faster, or was larger, than the server passes on.
    FrontendOutputLimit "frontend.output_limit" Trouble {
        /// `message-rate` or `data-rate`.
        what: String,
        /// The limit, in messages or bytes a second.
        limit: f64,
        /// The window over which it is measured.
        window_seconds: f64,
    }

    /// The server passes output on again.
    FrontendOutputResumed "frontend.output_resumed" Context {
    }

    /// A websocket was refused.
    FrontendWebsocketRefused "frontend.websocket_refused" Trouble {
        /// `origin`, `auth`, `upgrade`, `xsrf`, `too-large` (a message beyond the websocket's limit).
        what: String,
        /// The kernel.
        kernel_id: String,
        /// The origin the browser gave.
        web_origin: String,
        /// The host the server was asked under.
        web_host: String,
        /// The HTTP status.
        status: i64,
    }

    /// A websocket was lost: the server keeps output for the browser's return.
    FrontendWebsocketLost "frontend.websocket_lost" Context {
        /// The kernel.
        kernel_id: String,
    }

    /// A browser came back.
    FrontendWebsocketRestored "frontend.websocket_restored" Context {
        /// The kernel.
        kernel_id: String,
    }

    /// A browser did not answer pings.
    FrontendPingTimeout "frontend.ping_timeout" Trouble {
        /// The kernel.
        kernel_id: String,
        /// How long the server waited.
        milliseconds: i64,
    }

    /// A proxy or load balancer closed a websocket.
    FrontendProxyClosed "frontend.proxy_closed" Trouble {
        /// The kernel.
        kernel_id: String,
        /// How long the connection had lasted.
        seconds: f64,
        /// The proxy's own words.
        message: String,
    }

    /// Output kept for a browser was thrown away.
    FrontendOutputDiscarded "frontend.output_discarded" Trouble {
        /// The kernel.
        kernel_id: String,
        /// How many messages.
        message_count: i64,
    }

    /// A browser's tab crashed; the kernel did not.
    FrontendTabCrashed "frontend.tab_crashed" Trouble {
        /// The browser's error code: `SIGILL`, `STATUS_BREAKPOINT`, `Out of Memory` …
        code: String,
        /// The line's own words.
        message: String,
    }

    /// A websocket was lost again and again after the same time: something in between counts.
    FrontendWebsocketPeriodic "frontend.websocket_periodic" Trouble {
        /// The kernel.
        kernel_id: String,
        /// How long each connection lasted.
        seconds: f64,
        /// How many connections ended so.
        lost_count: i64,
    }

    // ---------------------------------------------------------------- hub

    /// The hub's proxy got no answer from a user's server; often the first trace that a dead server leaves.
    HubNoBackend "hub.no_backend" Trouble {
        /// The user.
        user: String,
        /// The kernel, where the request names one.
        kernel_id: String,
        /// The proxy's own words.
        message: String,
    }

    /// The hub found a user's server gone.
    HubServerGone "hub.server_gone" Death {
        /// The user.
        user: String,
        /// The exit code, negative for a signal; absent if the hub printed `unknown`.
        exit_code: i64,
        /// The exit code or status as printed.
        status: String,
    }

    /// The hub stopped a user's server because it was asked to.
    HubServerStopped "hub.server_stopped" Context {
        /// The user.
        user: String,
    }

    /// The hub's culler stopped a user's server.
    HubServerCulled "hub.server_culled" Ending {
        /// The user.
        user: String,
        /// `idle` or `max-age`; `notebook-controller` (Kubeflow, `OpenShift` AI) and `autostop` (a lifecycle script) where
        /// there is no hub and another did its part.
        what: String,
        /// For how long it had been inactive.
        inactive_seconds: i64,
        /// How old it was.
        age_seconds: i64,
        /// The pod it ran in.
        pod: String,
    }

    /// A user's server did not come up.
    HubSpawnFailed "hub.spawn_failed" Trouble {
        /// The user.
        user: String,
        /// `timeout`, `image`, `volume`, `unschedulable`, `package`, `address`, `exception`.
        what: String,
        /// The image asked for.
        image: String,
        /// The module missing.
        module: String,
        /// How long the hub waited.
        seconds: f64,
        /// The line's own words.
        message: String,
    }

    /// A user's server cannot reach the hub.
    HubUnreachable "hub.unreachable" Trouble {
        /// The hub's address as the server was told.
        url: String,
        /// The attempt.
        attempt: i64,
    }

    /// The hub started or stopped.
    HubState "hub.state" Context {
        /// `starting`, `stopping`, `leaving-servers`.
        what: String,
        /// The version.
        version: String,
    }

    // ---------------------------------------------------------------- runners, editors, shells

    /// A notebook runner (nbconvert, nbclient, papermill, nbmake …) found the kernel dead.
    RunnerKernelDied "runner.kernel_died" Death {
        /// The runner, where it is known.
        runner: String,
        /// The notebook.
        notebook: String,
        /// The cell that was running, as the runner counts.
        cell: i64,
        /// `while running` or `while starting`.
        phase: String,
    }

    /// A cell raised an exception and the run stopped. The kernel did not die.
    RunnerCellError "runner.cell_error" Trouble {
        /// The runner.
        runner: String,
        /// The notebook.
        notebook: String,
        /// The cell's execution count.
        cell: i64,
        /// The exception's type.
        exception: String,
        /// The exception's message.
        message: String,
    }

    /// A cell ran longer than the runner allows.
    RunnerCellTimeout "runner.cell_timeout" Trouble {
        /// The runner.
        runner: String,
        /// The notebook.
        notebook: String,
        /// The time allowed.
        seconds: i64,
    }

    /// A runner started a notebook.
    RunnerStarted "runner.started" Context {
        /// The runner.
        runner: String,
        /// The notebook.
        notebook: String,
        /// The kernelspec's name.
        kernel_name: String,
    }

    /// An editor (VS Code, Spyder …) found the kernel dead.
    EditorKernelDied "editor.kernel_died" Death {
        /// `vscode`, `spyder`, `pycharm`; `jupyter`, a dialog in the browser; of hosted notebooks `colab`, `kaggle`.
        editor: String,
        /// The exit code as printed, a Windows status as an unsigned number.
        exit_code: i64,
        /// The editor's guess, which is only the last text on the kernel's stderr.
        reason: String,
        /// The kernel's process id.
        pid: i64,
        /// The notebook.
        notebook: String,
    }

    /// A shell, a CI runner or a supervisor reported how a process ended.
    ProcessExit "process.exit" Ending {
        /// The program, where it is known.
        program: String,
        /// The exit code.
        exit_code: i64,
        /// The signal's name, where one was printed: `SIGKILL` …
        signal: String,
        /// The process.
        pid: i64,
        /// The reporter: `bash`, `github-actions`, `gitlab`, `supervisor`, `audit`, `systemd-coredump`, `linux` …
        reporter: String,
        /// The kernel, where the process was one and the reporter knows it.
        kernel_id: String,
        /// The notebook.
        notebook: String,
        /// `yes` or `no`: whether Linux wrote a core dump.
        core_dumped: String,
        /// The largest resident memory of it and of the children it waited for.
        max_rss_bytes: i64,
        /// How long it ran.
        uptime_seconds: f64,
    }

    /// kerneldoc's recorder saw how a descendant of the recorded command ended; runners end their kernels by signals too.
    ProcessChildExit "process.child_exit" Context {
        /// The program.
        program: String,
        /// The process.
        pid: i64,
        /// The exit code, 128 + signal for a signal.
        exit_code: i64,
        /// The signal's name.
        signal: String,
        /// The kernel, where the process was one.
        kernel_id: String,
        /// The notebook.
        notebook: String,
        /// The largest resident memory seen.
        max_rss_bytes: i64,
    }

    /// kerneldoc's recorder saw a kernel process end that nobody had asked to end, and with which status.
    KernelDied "kernel.died" Death {
        /// The kernel.
        kernel_id: String,
        /// The kernelspec's name.
        kernel_name: String,
        /// The process that ended.
        pid: i64,
        /// The same process as the host counts, where the recorder knows that it counts as the host does.
        host_pid: i64,
        /// The exit code, 128 + signal for a signal; a Windows status as an unsigned number.
        exit_code: i64,
        /// The signal's name; absent if the process left by itself.
        signal: String,
        /// `yes` or `no`: whether Linux wrote a core dump.
        core_dumped: String,
        /// Which attempt at a restart follows, from 1.
        attempt: i64,
        /// `yes` if none follows.
        gave_up: String,
        /// The notebook.
        notebook: String,
        /// How long it had lived.
        uptime_seconds: f64,
        /// `yes` or `no`: whether it was running a cell.
        busy: String,
    }

    // ---------------------------------------------------------------- kernel: the Python process

    /// Python raised an exception that was printed.
    PythonException "python.exception" Trouble {
        /// The exception's type, without its module.
        exception: String,
        /// The message.
        message: String,
        /// The file of the innermost frame.
        file: String,
        /// The function of the innermost frame.
        function: String,
        /// The files of all frames, outermost first, separated by newlines.
        files: String,
        /// Where it happened: `kernel-start`, `cell`, `server`, `worker`, `hub`, `other`.
        place: String,
        /// The cell's execution count.
        cell: i64,
        /// The kernel's process id, from `/tmp/ipykernel_<pid>/`.
        pid: i64,
        /// The last executed source line of the cell.
        source: String,
        /// The exceptions it was raised from, outermost cause first, separated by newlines.
        causes: String,
        /// A file of the user that hides a standard module by its name: its path, or the name it must have.
        shadow: String,
        /// The notebook, where a notebook file tells of it.
        notebook: String,
    }

    /// The interpreter gave up: `Fatal Python error`.
    PythonFatalError "python.fatal_error" Trouble {
        /// What it said: `Segmentation fault`, `Aborted`, `PyThreadState_Get: …`.
        message: String,
        /// The Python function it happened in, where the dump names it.
        function: String,
        /// The file of the innermost frame.
        file: String,
        /// The extension modules the dump lists, separated by commas.
        extension_modules: String,
        /// The kernel's process id, from `/tmp/ipykernel_<pid>/` in a frame.
        pid: i64,
        /// `yes` if the dump shows `ipykernel` at work: it is a kernel's.
        kernel: String,
        /// `yes` if the dump shows a Jupyter server at work, and no kernel.
        server: String,
    }

    /// Native code in the process printed its last words: glibc, C++, OpenMP, MKL, HDF5, protobuf, Qt …
    NativeMessage "native.message" Trouble {
        /// Who speaks: `glibc`, `c++`, `openmp`, `mkl`, `hdf5`, `protobuf`, `qt`, `gtk`, `tk`, `objc`, `zmq`, `absl`,
        /// `tensorflow`, `llvm`, `loader`, `tcmalloc`, `metal`, `rocm`, `shell` …
        library: String,
        /// `fatal`, `error`, `warning`, `info`.
        severity: String,
        /// The library's own error number or code.
        code: String,
        /// The message.
        message: String,
        /// The exception type, of `terminate called after throwing an instance of '…'`.
        exception: String,
        /// The source file or library file named.
        file: String,
        /// The process, where the line gives it.
        pid: i64,
        /// Bytes, of an allocation message.
        bytes: i64,
    }

    /// Where a kernel's process stands, seen from outside while it hangs: a row of `ps` with `WCHAN`, a stack dump.
    ProcessWaiting "process.waiting" Trouble {
        /// The process.
        pid: i64,
        /// The kernel, when its connection file stands in the command.
        kernel_id: String,
        /// The state's letter, as `ps` prints it: `S` sleeps, `D` cannot be interrupted, `R` runs, `T` is stopped.
        state: String,
        /// Linux's function in which it waits (`anon_pipe_write`), or the innermost frame (`write (libc.so.6)`).
        place: String,
    }

    /// A worker process of a kernel ended; the kernel lives.
    WorkerDied "worker.died" Trouble {
        /// `dataloader`, `joblib`, `concurrent.futures`, `multiprocessing`, `ray`, `dask`, `spark`.
        pool: String,
        /// Who of the pool's own ended it because it took too much memory: `dask's nanny`, `ray's memory monitor`, `YARN`.
        ended_by: String,
        /// The worker.
        pid: i64,
        /// The signal's name.
        signal: String,
        /// The exit code.
        exit_code: i64,
        /// The message.
        message: String,
    }

    /// A line of the user's code that was run last, from an `IPython` log, a history or a notebook.
    CodeRun "code.run" Context {
        /// The source.
        source: String,
        /// The notebook.
        notebook: String,
        /// The cell's execution count.
        cell: i64,
        /// `yes` for the last one the file shows.
        last: String,
        /// `yes` if the cell began and never ended by itself: its kernel never answered.
        unfinished: String,
        /// When the runner gave the cell up, seconds since the Unix epoch.
        ended_epoch_seconds: i64,
        /// `yes` if it is not known to have run: lines of a script around a call that ends the process.
        script: String,
    }

    // ---------------------------------------------------------------- cuda

    /// The GPU's memory was full.
    GpuOutOfMemory "gpu.out_of_memory" Trouble {
        /// `pytorch`, `tensorflow`, `jax`, `cupy`, `numba`, `rmm`, `onnxruntime`, `mps` …
        framework: String,
        /// The GPU's number.
        gpu: String,
        /// What was asked for.
        requested_bytes: i64,
        /// The card's memory.
        total_bytes: i64,
        /// What was free.
        free_bytes: i64,
        /// What this process held, by the driver's count.
        process_bytes: i64,
        /// What the framework had handed out.
        allocated_bytes: i64,
        /// What the framework held back and not handed out.
        unallocated_bytes: i64,
        /// What the framework had reserved in all.
        reserved_bytes: i64,
        /// What other processes held.
        other_bytes: i64,
        /// Another process named in the message.
        other_pid: i64,
        /// The limit of a configured memory fraction.
        fraction_limit_bytes: i64,
        /// This process, where the message names it.
        pid: i64,
        /// The message's beginning.
        message: String,
        /// `yes` if the line says that the process ends because of it.
        fatal: String,
    }

    /// A GPU programming interface reported an error.
    GpuError "gpu.error" Trouble {
        /// `cuda`, `cublas`, `cudnn`, `nccl`, `cusolver`, `cufft`, `hip`, `metal`, `nvml`.
        api: String,
        /// The runtime's name of the error: `cudaErrorIllegalAddress`, `CUBLAS_STATUS_ALLOC_FAILED` …
        name: String,
        /// The runtime's number of the error.
        code: i64,
        /// The message.
        message: String,
        /// `pytorch`, `tensorflow` …
        framework: String,
        /// `yes` if the process said that it ends because of it.
        fatal: String,
        /// The GPU's number.
        gpu: String,
    }

    /// An assertion failed inside a GPU program.
    GpuAssert "gpu.assert" Trouble {
        /// The condition as printed.
        condition: String,
        /// The GPU function.
        function: String,
        /// The source file.
        file: String,
    }

    /// Tensors on different devices met.
    GpuMixedDevices "gpu.mixed_devices" Trouble {
        /// One device.
        device: String,
        /// The other device.
        other_device: String,
        /// The argument and the operation, where the message names them.
        operation: String,
        /// The message.
        message: String,
    }

    /// The NVIDIA driver reported an Xid (or an `NVSwitch` an `SXid`).
    GpuXid "gpu.xid" Trouble {
        /// The number.
        code: i64,
        /// The PCI address.
        bus: String,
        /// The process it blames.
        pid: i64,
        /// Its name.
        process: String,
        /// The rest of the line.
        message: String,
        /// `xid` or `sxid`.
        family: String,
        /// What the blamed process is: `kernel` (also its workers), `server` or `stranger`.
        victim: String,
    }

    /// Another GPU driver's fault or reset.
    GpuDriverFault "gpu.driver_fault" Trouble {
        /// `amdgpu`, `i915`, `nouveau`.
        driver: String,
        /// `page-fault`, `reset`, `vram-lost`, `hang`.
        what: String,
        /// The PCI address.
        bus: String,
        /// The process it blames.
        pid: i64,
        /// Its name.
        process: String,
        /// The line's own words.
        message: String,
    }

    /// A monitor showed what a process holds of a GPU's memory.
    GpuProcessMemory "gpu.process_memory" Context {
        /// The GPU's number.
        gpu: String,
        /// The process.
        pid: i64,
        /// Its name.
        process: String,
        /// What it holds.
        used_bytes: i64,
        /// What Python processes above it in the same table hold of the same GPU; for Python processes only.
        neighbour_bytes: i64,
    }

    /// A monitor showed a GPU.
    GpuState "gpu.state" Context {
        /// The GPU's number.
        gpu: String,
        /// Its model.
        model: String,
        /// Memory in use.
        used_bytes: i64,
        /// Its memory.
        total_bytes: i64,
        /// The driver's version.
        driver_version: String,
        /// The highest CUDA version of the driver.
        cuda_version: String,
    }

    // ---------------------------------------------------------------- memory series

    /// One measurement of memory (only the last of a run is kept; see `memory.series`).
    MemorySample "memory.sample" Context {
        /// `host`, `process`, `container`, `gpu-device`, `gpu-allocated`, `gpu-reserved`, `gpu-non-releasable` (stranded
        /// in blocks that are partly in use), `gpu-peak` (a running maximum).
        what: String,
        /// The process measured.
        pid: i64,
        /// The GPU's number.
        gpu: String,
        /// The label or step text beside the figure.
        label: String,
        /// In use.
        used_bytes: i64,
        /// Of how much.
        total_bytes: i64,
        /// In use, in percent, where no bytes were printed.
        percent: f64,
        /// The container measured.
        container_id: String,
        /// Its name.
        container_name: String,
    }

    /// All measurements of one thing in one log, summed up.
    MemorySeries "memory.series" Trouble {
        /// As in `memory.sample`.
        what: String,
        /// The process measured.
        pid: i64,
        /// The GPU's number.
        gpu: String,
        /// How many measurements.
        sample_count: i64,
        /// The first figure.
        first_bytes: i64,
        /// The last figure.
        last_bytes: i64,
        /// The lowest figure.
        min_bytes: i64,
        /// The highest figure.
        max_bytes: i64,
        /// The most there is.
        total_bytes: i64,
        /// The last figure as a share of the most there is, or as printed, in percent.
        last_percent: f64,
        /// The highest share, in percent.
        max_percent: f64,
        /// `leak`, `step`, `plateau`, `warm-up`, `saturating` or `too-short`.
        trend: String,
        /// What is added from one measurement to the next, by the floor of the series.
        bytes_per_sample: f64,
        /// Measurements until it would be full, counted from the last.
        samples_until_full: f64,
        /// The label beside the figures, with `#` for its numbers.
        label: String,
        /// The container measured.
        container_id: String,
        /// Its name.
        container_name: String,
        /// What is added from one step to the next, where the samples name their steps.
        bytes_per_step: f64,
        /// What is added in a minute, where the samples are stamped.
        bytes_per_minute: f64,
        /// The time between two measurements, where they are stamped.
        seconds_per_sample: f64,
        /// From the first measurement to the last.
        span_seconds: f64,
        /// Until it would be full, counted from the last measurement.
        seconds_until_full: f64,
        /// Up to 32 points of the curve, divided by commas.
        points_bytes: String,
        /// The same, of a series that was printed in percent.
        points_percent: String,
    }
}
