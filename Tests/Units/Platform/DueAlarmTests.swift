import Glibc
import STCPlatform
import STTestSupport
import Synchronization
import Testing

@testable import STPlatform

@Suite("Deadline timers")
struct DueAlarmTests {
    private final class Count: Sendable {
        private let counts = Mutex((rings: 0, steps: 0))

        func ring() { counts.withLock { $0.rings += 1 } }

        func step() { counts.withLock { $0.steps += 1 } }

        var rings: Int { counts.withLock { $0.rings } }
        var steps: Int { counts.withLock { $0.steps } }
    }

    private func withLoop(_ body: (LoopThread) async throws -> Void) async throws {
        let loop = try LoopThread(name: "due")
        defer {
            loop.stop()
            loop.join()
        }
        try await body(loop)
    }

    private func passBy(_ loop: LoopThread) async {
        await withCheckedContinuation { continuation in loop.post { continuation.resume() } }
    }

    @Test("A timer fires once when simulated time reaches its wall time, and not a millisecond earlier")
    func simulatedWall() async throws {
        let time = SimulatedTimeSource(wallMs: 1_000, bootMs: 0)
        let count = Count()
        try await withLoop { loop in
            let alarm = try DeadlineTimer(loop, time: time) { count.ring() }
            alarm.set(wallMs: 2_000)
            time.advance(byMs: 999)
            await passBy(loop)
            #expect(count.rings == 0)
            #expect(time.nextDue == Deadlines(wallMs: 2_000))

            time.advance(byMs: 1)
            await passBy(loop)
            #expect(count.rings == 1)

            time.advance(byMs: 5_000)
            await passBy(loop)
            #expect(count.rings == 1)
            #expect(time.nextDue == Deadlines())
            withExtendedLifetime(alarm) {}
        }
    }

    @Test("Setting the wall clock moves a wall-time timer but not a boot-time timer, and both report it")
    func steps() async throws {
        let time = SimulatedTimeSource(wallMs: 10_000, bootMs: 0)
        let count = Count()
        let boot = Count()
        try await withLoop { loop in
            let alarm = try DeadlineTimer(loop, time: time, onStep: { count.step() }) { count.ring() }
            let other = try DeadlineTimer(loop, time: time, onStep: { boot.step() }) { boot.ring() }
            alarm.set(wallMs: 11_000)
            other.set(bootMs: 1_000)
            time.stepWall(byMs: -5_000)
            time.advance(byMs: 1_000)
            await passBy(loop)
            #expect(count.rings == 0)
            #expect(boot.rings == 1)

            time.stepWall(byMs: 60_000)
            await passBy(loop)
            #expect(count.rings == 1)
            #expect(boot.rings == 1)
            #expect(count.steps == 2)
            #expect(boot.steps == 2)
            withExtendedLifetime((alarm, other)) {}
        }
    }

    @Test("Setting a timer again replaces its time, a past time fires immediately, and no time cancels it")
    func replaced() async throws {
        let time = SimulatedTimeSource(wallMs: 1_000, bootMs: 0)
        let count = Count()
        try await withLoop { loop in
            let alarm = try DeadlineTimer(loop, time: time) { count.ring() }
            alarm.set(wallMs: 2_000)
            alarm.set(wallMs: 3_000)
            time.advance(byMs: 1_500)
            await passBy(loop)
            #expect(count.rings == 0)
            alarm.set()
            time.advance(byMs: 10_000)
            await passBy(loop)
            #expect(count.rings == 0)
            alarm.set(wallMs: 5)
            await passBy(loop)
            await passBy(loop)
            #expect(count.rings == 1)
        }
    }

    @Test("On a virtual clock, a timer fires before the report of a clock change on its thread returns")
    func virtual() async throws {
        let scratch = try ScratchDirectory()
        let page = try ClockPage(creating: scratch.file("clock"), ClockPageTests.face)
        let time = VirtualTimeSource(try ClockPage(opening: page.path))
        let count = Count()
        try await withLoop { loop in
            let alarm = try DeadlineTimer(loop, time: time, onStep: { count.step() }) { count.ring() }
            alarm.set(wallMs: ClockPageTests.face.reading.wallMs + 1_000)
            #expect(time.nextDue.wallMs == ClockPageTests.face.reading.wallMs + 1_000)
            var face = page.state
            face.reading.wallMs += 1_000
            face.reading.bootMs += 1_000
            try page.write(face)
            await passBy(loop)
            #expect(count.rings == 0, "the page was written, but `clockTurned` was not called")

            let rings = await withCheckedContinuation { continuation in
                loop.post {
                    time.clockDidChange()
                    continuation.resume(returning: count.rings)
                }
            }
            #expect(rings == 1)
            #expect(count.steps == 0)
            face.reading.wallMs += 7
            try page.write(face)
            time.clockDidChange()
            await passBy(loop)
            #expect(count.steps == 1)
            withExtendedLifetime(alarm) {}
        }
    }

    @Test("A task that sleeps on a virtual clock wakes when its time is reached or when it is cancelled")
    func sleeping() async throws {
        let scratch = try ScratchDirectory()
        let page = try ClockPage(creating: scratch.file("clock"), ClockPageTests.face)
        let time = VirtualTimeSource(try ClockPage(opening: page.path))
        let sleeper = Task { try await time.sleep(untilBootMs: 5_010) }
        let cancelled = Task { try await time.sleep(untilBootMs: 9_000) }
        try await eventually("both sleep") {
            guard time.nextDue.bootMs == 5_010 else { throw NotYet("\(time.nextDue)") }
        }
        var face = page.state
        face.reading.bootMs = 5_010
        try page.write(face)
        time.clockDidChange()
        try await sleeper.value
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test("On the machine's own clocks, a timer fires at its wall time or boot time and not earlier")
    func system() async throws {
        let time = SystemTimeSource()
        try await withLoop { loop in
            for isWall in [true, false] {
                let (stream, rung) = AsyncStream.makeStream(of: TimeReading.self)
                let alarm = try DeadlineTimer(loop, time: time) { rung.yield(time.now()) }
                let start = time.now()
                if isWall {
                    alarm.set(wallMs: start.wallMs + 30)
                } else {
                    alarm.set(bootMs: start.bootMs + 30)
                }
                var rings = stream.makeAsyncIterator()
                let end = try #require(await rings.next())
                let lateMs = isWall ? end.wallMs - start.wallMs - 30 : end.bootMs - start.bootMs - 30
                #expect((0...10_000).contains(lateMs))
                withExtendedLifetime(alarm) {}
            }
        }
    }

    @Test("A change of the machine's clock is reported, and the timer still fires")
    func systemStep() async throws {
        let count = Count()
        let isSet = Flag()
        try await withLoop { loop in
            let callbacks = DeadlineCallbacks(thread: loop, ring: { count.ring() }, step: { count.step() })
            // Returns the kernel's result after a change of the clock, because a test must not set the clock.
            let waker = try SystemDeadlineWaker(callbacks) { descriptor in
                isSet.take() ? -ECANCELED : st_timer_read(descriptor)
            }
            waker.set(Deadlines(wallMs: SystemTimeSource().now().wallMs + 50))
            isSet.set()
            waker.timerDidExpire(-1)
            #expect(count.steps == 1)
            try await eventually("the timer fires") { if count.rings == 0 { throw NotYet("silent") } }
            #expect(count.rings == 1)
            waker.close()
            await passBy(loop)
        }
    }

    @Test(
        "If a kernel timer expires too early, the timer does not fire then but fires later",
        arguments: [true, false]
    )
    func early(isWall: Bool) async throws {
        let count = Count()
        let isSet = Flag()
        try await withLoop { loop in
            let callbacks = DeadlineCallbacks(thread: loop, ring: { count.ring() }, step: { count.step() })
            let waker = try SystemDeadlineWaker(callbacks) { descriptor in
                guard isSet.take() else { return st_timer_read(descriptor) }
                // As after an expiry, the kernel timer is no longer set.
                st_timer_clear(descriptor)
                return 1
            }
            let now = SystemTimeSource().now()
            waker.set(
                isWall ? Deadlines(wallMs: now.wallMs + 3_000) : Deadlines(bootMs: now.bootMs + 3_000)
            )
            isSet.set()
            let timer = isWall ? waker.wall : waker.boot
            waker.timerDidExpire(timer.number)
            #expect(count.rings == 0)
            try await eventually("the timer fires") { if count.rings == 0 { throw NotYet("silent") } }
            waker.close()
            await passBy(loop)
        }
    }

    @Test("Released timers do not fire, and their descriptors are closed")
    func letGo() async throws {
        let time = SystemTimeSource()
        let count = Count()
        try await withLoop { loop in
            let before = Self.descriptors()
            for _ in 0..<20 {
                let alarm = try DeadlineTimer(loop, time: time) { count.ring() }
                alarm.set(wallMs: time.now().wallMs + 1_000)
            }
            await passBy(loop)
            await passBy(loop)
            try await eventually("all are closed") {
                let now = Self.descriptors()
                if now > before + 4 { throw NotYet("\(now) of \(before)") }
            }
            // Waits until after the time for which the timers were set.
            try await Task.sleep(for: .milliseconds(1_200))
        }
        #expect(count.rings == 0)
    }

    /// The number of open timer descriptors. Other tests of this process open other descriptors meanwhile.
    private static func descriptors() -> Int {
        let names = (try? DirectoryTree.names(in: "/proc/self/fd")) ?? []
        return names.count { name in
            var target = [UInt8](repeating: 0, count: 64)
            let length = target.withUnsafeMutableBytes {
                guard let start = $0.baseAddress else { return 0 }
                return readlink("/proc/self/fd/\(name)", start.assumingMemoryBound(to: CChar.self), $0.count)
            }
            return length > 0 && String(decoding: target[..<length], as: UTF8.self) == "anon_inode:[timerfd]"
        }
    }
}
