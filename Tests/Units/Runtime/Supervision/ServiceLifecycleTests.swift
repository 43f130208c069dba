import Glibc
import STPlatform
import STSupervision
import Testing

@Suite("Lifecycle of a service")
struct ServiceLifecycleTests {
    private func ready(_ lifecycle: inout ServiceLifecycle, at now: Duration) {
        #expect(lifecycle.handle(.start, now: now) == [.spawn])
        #expect(lifecycle.handle(.spawned, now: now) == [])
        #expect(lifecycle.handle(.becameReady, now: now) == [])
        #expect(lifecycle.state == .ready(since: now))
    }

    @Test("A service is first waiting, then starting, then ready")
    func start() {
        var lifecycle = ServiceLifecycle()
        #expect(lifecycle.state == .waiting)
        #expect(lifecycle.handle(.becameReady, now: .milliseconds(0)) == [])
        #expect(lifecycle.state == .waiting)

        ready(&lifecycle, at: .milliseconds(5))

        #expect(lifecycle.handle(.start, now: .milliseconds(6)) == [])
        #expect(lifecycle.restarts == 0)
        #expect(lifecycle.nextTick == nil)
    }

    @Test("A service that does not notify is ready as soon as it is spawned")
    func withoutNotify() {
        var lifecycle = ServiceLifecycle(notify: false)
        _ = lifecycle.handle(.start, now: .milliseconds(1))
        _ = lifecycle.handle(.spawned, now: .milliseconds(2))
        #expect(lifecycle.state == .ready(since: .milliseconds(2)))
    }

    @Test("Restart delays grow up to a limit and are reset after 30 s of readiness")
    func backOff() {
        var lifecycle = ServiceLifecycle()
        var now = Duration.zero
        var delays: [Int64] = []
        for _ in 0..<9 {
            ready(&lifecycle, at: now)
            #expect(lifecycle.handle(.exited(.exited(1)), now: now) == [])
            let next = lifecycle.nextTick ?? .zero
            delays.append((next - now).ms)
            #expect(lifecycle.handle(.tick, now: next - .milliseconds(1)) == [])
            now = next
        }
        #expect(delays == [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])

        ready(&lifecycle, at: now)
        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), now: now + .milliseconds(29_999))
        #expect(lifecycle.state == .backingOff(until: now + .milliseconds(29_999 + 10_000)))
        #expect(lifecycle.handle(.tick, now: now + .milliseconds(40_000)) == [.spawn])
        _ = lifecycle.handle(.becameReady, now: now + .milliseconds(40_000))
        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), now: now + .milliseconds(70_000))
        #expect(lifecycle.state == .backingOff(until: now + .milliseconds(70_100)))
        #expect(lifecycle.lastExit == .signaled(SIGKILL))
        #expect(lifecycle.lastFailure?.english == "ended by SIGKILL")
        #expect(lifecycle.restarts == 10)
    }

    @Test("A service that is not ready in time is killed with its group, with the reason")
    func startDeadline() {
        var lifecycle = ServiceLifecycle()
        _ = lifecycle.handle(.start, now: .milliseconds(0))
        #expect(lifecycle.handle(.tick, now: .milliseconds(9999)) == [])
        #expect(lifecycle.handle(.tick, now: .milliseconds(10_000)) == [.signalGroup(SIGKILL)])
        // The notification arrives after the deadline.
        #expect(lifecycle.handle(.becameReady, now: .milliseconds(10_001)) == [])

        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), now: .milliseconds(10_002))

        #expect(lifecycle.state == .backingOff(until: .milliseconds(10_102)))
        #expect(lifecycle.lastFailure?.english == "was not ready within 10 s")
    }

    @Test("A stop sends SIGTERM and SIGCONT, and SIGKILL ten seconds later")
    func stop() {
        var lifecycle = ServiceLifecycle()
        ready(&lifecycle, at: .milliseconds(0))

        #expect(
            lifecycle.handle(.stop, now: .milliseconds(100)) == [.signal(SIGTERM), .signalGroup(SIGCONT)]
        )
        #expect(lifecycle.handle(.stop, now: .milliseconds(200)) == [])
        #expect(lifecycle.handle(.tick, now: .milliseconds(10_099)) == [])
        #expect(lifecycle.handle(.tick, now: .milliseconds(10_100)) == [.signalGroup(SIGKILL)])
        #expect(lifecycle.nextTick == nil)
        #expect(lifecycle.handle(.exited(.signaled(SIGKILL)), now: .milliseconds(10_101)) == [])

        #expect(lifecycle.state == .stopped)
        #expect(lifecycle.lastFailure == nil)
    }

    @Test("A service that is stopped while it backs off does not restart")
    func stopWhileBackingOff() {
        var lifecycle = ServiceLifecycle()
        ready(&lifecycle, at: .milliseconds(0))
        _ = lifecycle.handle(.exited(.exited(0)), now: .milliseconds(1))
        _ = lifecycle.handle(.stop, now: .milliseconds(2))

        #expect(lifecycle.state == .stopped)
        #expect(lifecycle.handle(.tick, now: .milliseconds(100_000)) == [])
        #expect(lifecycle.handle(.start, now: .milliseconds(100_001)) == [.spawn])
    }

    @Test("A service that misses its watchdog is aborted, then killed, and counts as failed")
    func watchdog() {
        var lifecycle = ServiceLifecycle(watchdog: .milliseconds(500))
        ready(&lifecycle, at: .milliseconds(0))
        _ = lifecycle.handle(.fedWatchdog, now: .milliseconds(400))
        #expect(lifecycle.handle(.tick, now: .milliseconds(500)) == [])
        #expect(
            lifecycle.handle(.tick, now: .milliseconds(900)) == [.signal(SIGABRT), .signalGroup(SIGCONT)]
        )
        #expect(lifecycle.handle(.fedWatchdog, now: .milliseconds(901)) == [])
        #expect(lifecycle.handle(.tick, now: .milliseconds(2900)) == [.signalGroup(SIGKILL)])

        _ = lifecycle.handle(.exited(.signaled(SIGKILL)), now: .milliseconds(2901))

        #expect(lifecycle.state == .backingOff(until: .milliseconds(3001)))
        #expect(lifecycle.lastFailure?.english == "sent no watchdog notification (WATCHDOG=1) for 500 ms")
    }

    @Test("A starting service that requests more time gets it, and a ready one ignores it")
    func extended() {
        var lifecycle = ServiceLifecycle()
        _ = lifecycle.handle(.start, now: .milliseconds(0))
        #expect(lifecycle.nextTick == .seconds(10))
        _ = lifecycle.handle(.extended(by: .milliseconds(1_000)), now: .milliseconds(100))
        #expect(lifecycle.nextTick == .seconds(10))
        _ = lifecycle.handle(.extended(by: .milliseconds(59_900)), now: .milliseconds(100))
        #expect(lifecycle.handle(.tick, now: .milliseconds(59_999)) == [])
        #expect(lifecycle.handle(.tick, now: .milliseconds(60_000)) == [.signalGroup(SIGKILL)])
        #expect(lifecycle.lastFailure?.english == "was not ready within 1 min")

        var other = ServiceLifecycle()
        ready(&other, at: .milliseconds(0))
        _ = other.handle(.extended(by: .milliseconds(60_000)), now: .milliseconds(1))
        #expect(other.state == .ready(since: .zero))
    }

    @Test("A restart ends and spawns the service, and a stop during the restart overrides it")
    func restart() {
        var lifecycle = ServiceLifecycle()
        ready(&lifecycle, at: .milliseconds(0))
        #expect(
            lifecycle.handle(.restart, now: .milliseconds(1)) == [.signal(SIGTERM), .signalGroup(SIGCONT)]
        )
        #expect(lifecycle.handle(.exited(.exited(0)), now: .milliseconds(2)) == [.spawn])
        #expect(lifecycle.restarts == 1)

        _ = lifecycle.handle(.becameReady, now: .milliseconds(3))
        _ = lifecycle.handle(.restart, now: .milliseconds(4))
        _ = lifecycle.handle(.stop, now: .milliseconds(5))
        #expect(lifecycle.handle(.exited(.exited(0)), now: .milliseconds(6)) == [])
        #expect(lifecycle.state == .stopped)
    }

    @Test("A service fails permanently if it cannot be spawned or must not be restarted")
    func failure() {
        var missing = ServiceLifecycle()
        _ = missing.handle(.start, now: .milliseconds(0))
        _ = missing.handle(
            .spawnFailed(reason: Message(verbatim: "no such file"), retryable: false),
            now: .zero
        )
        #expect(missing.state == .failed(reason: Message(verbatim: "no such file")))
        #expect(missing.nextTick == nil)

        var busy = ServiceLifecycle()
        _ = busy.handle(.start, now: .milliseconds(0))
        _ = busy.handle(
            .spawnFailed(reason: Message(verbatim: "no room"), retryable: true),
            now: .milliseconds(0)
        )
        #expect(busy.state == .backingOff(until: .milliseconds(100)))

        var once = ServiceLifecycle(restartsAfterFailure: false)
        ready(&once, at: .milliseconds(0))
        _ = once.handle(.exited(.exited(3)), now: .milliseconds(1))
        #expect(once.state == .failed(reason: ExitStatus.exited(3).message))
    }
}
