import Glibc
import STPlatform
import STSupervision
import Testing

@Suite("Lifecycle of a service")
struct ServiceLifecycleTests {
    private func ready(_ lifecycle: inout ServiceLifecycle, atMs nowMs: Int64) {
        #expect(lifecycle.handle(.start, nowMs: nowMs) == [.spawn])
        #expect(lifecycle.handle(.spawned, nowMs: nowMs) == [])
        #expect(lifecycle.handle(.becameReady, nowMs: nowMs) == [])
        #expect(lifecycle.state == .ready(sinceMs: nowMs))
    }

    @Test("A service is first waiting, then starting, then ready")
    func start() {
        var lifecycle = ServiceLifecycle()
        #expect(lifecycle.state == .waiting)
        #expect(lifecycle.handle(.becameReady, nowMs: 0) == [])
        #expect(lifecycle.state == .waiting)

        ready(&lifecycle, atMs: 5)

        #expect(lifecycle.handle(.start, nowMs: 6) == [])
        #expect(lifecycle.restarts == 0)
        #expect(lifecycle.nextTickMs == nil)
    }

    @Test("A service that does not notify is ready as soon as it is spawned")
    func withoutNotify() {
        var lifecycle = ServiceLifecycle(notify: false)
        _ = lifecycle.handle(.start, nowMs: 1)
        _ = lifecycle.handle(.spawned, nowMs: 2)
        #expect(lifecycle.state == .ready(sinceMs: 2))
    }

    @Test("Restart delays grow up to a limit and are reset after 30 s of readiness")
    func backOff() {
        var lifecycle = ServiceLifecycle()
        var nowMs: Int64 = 0
        var delays: [Int64] = []
        for _ in 0..<9 {
            ready(&lifecycle, atMs: nowMs)
            #expect(lifecycle.handle(.exited(.exited(1)), nowMs: nowMs) == [])
            let nextMs = lifecycle.nextTickMs ?? -1
            delays.append(nextMs - nowMs)
            #expect(lifecycle.handle(.tick, nowMs: nextMs - 1) == [])
            nowMs = nextMs
        }
        #expect(delays == [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])

        ready(&lifecycle, atMs: nowMs)
        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), nowMs: nowMs + 29_999)
        #expect(lifecycle.state == .backingOff(untilMs: nowMs + 29_999 + 10_000))
        #expect(lifecycle.handle(.tick, nowMs: nowMs + 40_000) == [.spawn])
        _ = lifecycle.handle(.becameReady, nowMs: nowMs + 40_000)
        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), nowMs: nowMs + 70_000)
        #expect(lifecycle.state == .backingOff(untilMs: nowMs + 70_100))
        #expect(lifecycle.lastExit == .signaled(SIGKILL))
        #expect(lifecycle.lastFailure?.english == "ended by SIGKILL")
        #expect(lifecycle.restarts == 10)
    }

    @Test("A service that is not ready in time is killed with its group, with the reason")
    func startDeadline() {
        var lifecycle = ServiceLifecycle()
        _ = lifecycle.handle(.start, nowMs: 0)
        #expect(lifecycle.handle(.tick, nowMs: 9999) == [])
        #expect(lifecycle.handle(.tick, nowMs: 10_000) == [.signalGroup(SIGKILL)])
        // The notification arrives after the deadline.
        #expect(lifecycle.handle(.becameReady, nowMs: 10_001) == [])

        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), nowMs: 10_002)

        #expect(lifecycle.state == .backingOff(untilMs: 10_102))
        #expect(lifecycle.lastFailure?.english == "was not ready within 10 s")
    }

    @Test("A stop sends SIGTERM and SIGCONT, and SIGKILL ten seconds later")
    func stop() {
        var lifecycle = ServiceLifecycle()
        ready(&lifecycle, atMs: 0)

        #expect(lifecycle.handle(.stop, nowMs: 100) == [.signal(SIGTERM), .signalGroup(SIGCONT)])
        #expect(lifecycle.handle(.stop, nowMs: 200) == [])
        #expect(lifecycle.handle(.tick, nowMs: 10_099) == [])
        #expect(lifecycle.handle(.tick, nowMs: 10_100) == [.signalGroup(SIGKILL)])
        #expect(lifecycle.nextTickMs == nil)
        #expect(lifecycle.handle(.exited(.signaled(SIGKILL)), nowMs: 10_101) == [])

        #expect(lifecycle.state == .stopped)
        #expect(lifecycle.lastFailure == nil)
    }

    @Test("A service that is stopped while it backs off does not restart")
    func stopWhileBackingOff() {
        var lifecycle = ServiceLifecycle()
        ready(&lifecycle, atMs: 0)
        _ = lifecycle.handle(.exited(.exited(0)), nowMs: 1)
        _ = lifecycle.handle(.stop, nowMs: 2)

        #expect(lifecycle.state == .stopped)
        #expect(lifecycle.handle(.tick, nowMs: 100_000) == [])
        #expect(lifecycle.handle(.start, nowMs: 100_001) == [.spawn])
    }

    @Test("A service that misses its watchdog is aborted, then killed, and counts as failed")
    func watchdog() {
        var lifecycle = ServiceLifecycle(watchdogMs: 500)
        ready(&lifecycle, atMs: 0)
        _ = lifecycle.handle(.fedWatchdog, nowMs: 400)
        #expect(lifecycle.handle(.tick, nowMs: 500) == [])
        #expect(lifecycle.handle(.tick, nowMs: 900) == [.signal(SIGABRT), .signalGroup(SIGCONT)])
        #expect(lifecycle.handle(.fedWatchdog, nowMs: 901) == [])
        #expect(lifecycle.handle(.tick, nowMs: 2900) == [.signalGroup(SIGKILL)])

        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), nowMs: 2901)

        #expect(lifecycle.state == .backingOff(untilMs: 3001))
        #expect(lifecycle.lastFailure?.english == "sent no watchdog notification (WATCHDOG=1) for 500 ms")
    }

    @Test("A starting service that requests more time gets it, and a ready one ignores it")
    func extended() {
        var lifecycle = ServiceLifecycle()
        _ = lifecycle.handle(.start, nowMs: 0)
        #expect(lifecycle.nextTickMs == 10_000)
        _ = lifecycle.handle(.extended(byMs: 1_000), nowMs: 100)
        #expect(lifecycle.nextTickMs == 10_000)
        _ = lifecycle.handle(.extended(byMs: 59_900), nowMs: 100)
        #expect(lifecycle.handle(.tick, nowMs: 59_999) == [])
        #expect(lifecycle.handle(.tick, nowMs: 60_000) == [.signalGroup(SIGKILL)])
        #expect(lifecycle.lastFailure?.english == "was not ready within 1 min")

        var other = ServiceLifecycle()
        ready(&other, atMs: 0)
        _ = other.handle(.extended(byMs: 60_000), nowMs: 1)
        #expect(other.state == .ready(sinceMs: 0))
    }

    @Test("A restart ends and spawns the service, and a stop during the restart overrides it")
    func restart() {
        var lifecycle = ServiceLifecycle()
        ready(&lifecycle, atMs: 0)
        #expect(lifecycle.handle(.restart, nowMs: 1) == [.signal(SIGTERM), .signalGroup(SIGCONT)])
        #expect(lifecycle.handle(.exited(.exited(0)), nowMs: 2) == [.spawn])
        #expect(lifecycle.restarts == 1)

        _ = lifecycle.handle(.becameReady, nowMs: 3)
        _ = lifecycle.handle(.restart, nowMs: 4)
        _ = lifecycle.handle(.stop, nowMs: 5)
        #expect(lifecycle.handle(.exited(.exited(0)), nowMs: 6) == [])
        #expect(lifecycle.state == .stopped)
    }

    @Test("A service fails permanently if it cannot be spawned or must not be restarted")
    func failure() {
        var missing = ServiceLifecycle()
        _ = missing.handle(.start, nowMs: 0)
        _ = missing.handle(
            .spawnFailed(reason: Message(verbatim: "no such file"), retryable: false),
            nowMs: 0
        )
        #expect(missing.state == .failed(reason: Message(verbatim: "no such file")))
        #expect(missing.nextTickMs == nil)

        var busy = ServiceLifecycle()
        _ = busy.handle(.start, nowMs: 0)
        _ = busy.handle(.spawnFailed(reason: Message(verbatim: "no room"), retryable: true), nowMs: 0)
        #expect(busy.state == .backingOff(untilMs: 100))

        var once = ServiceLifecycle(restartsAfterFailure: false)
        ready(&once, atMs: 0)
        _ = once.handle(.exited(.exited(3)), nowMs: 1)
        #expect(once.state == .failed(reason: ExitStatus.exited(3).message))
    }
}
