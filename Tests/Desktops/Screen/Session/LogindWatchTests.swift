import Glibc
import STDBus
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization
import Testing

@Suite("Events from logind", .enabled(if: LogindMock.isAvailable, "needs python3-dbusmock"))
struct LogindWatchTests {
    private func run(
        uid: UInt32 = 1_000,
        environment: [String: String] = [:],
        beforeSleep: @escaping @Sendable () async -> Void = {},
        _ body: (SessionBench, LogindMock, DBusPair) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        defer { buses.stop() }
        let logind = try await LogindMock(buses.system, scratch)
        defer { logind.kill() }
        try await logind.addSession("c2", uid: 1_000)
        try await logind.setDisplay(ofUser: 1_000, "c2")
        let bench = try SessionBench(
            scratch,
            buses.environment.merging(environment) { $1 },
            uid: uid,
            beforeSleep: beforeSleep
        )
        await bench.watch.start()
        do {
            try await body(bench, logind, buses)
        } catch {
            await bench.stop()
            throw error
        }
        await bench.stop()
    }

    @Test("Locking and unlocking are reported with their times, and requests for both are reported")
    func locks() async throws {
        try await run { bench, logind, _ in
            let before = Stopwatch.bootMilliseconds()
            try await logind.setLocked("c2", true)
            let lockedAt = try await bench.hears(locked: true)
            #expect((before...Stopwatch.bootMilliseconds()).contains(lockedAt.ms))
            try await logind.setLocked("c2", false)
            #expect(try await bench.hears(locked: false) >= lockedAt)

            try await logind.lock("c2")
            try await bench.hears("the wish") { if case .lockAsked = $0 { true } else { nil } }
            try await logind.unlock("c2")
            try await bench.hears("the other wish") { if case .unlockAsked = $0 { true } else { nil } }
        }
    }

    @Test("A switch of users is reported, and events of other sessions are not")
    func userSwitch() async throws {
        try await run { bench, logind, _ in
            try await logind.addSession("c9", uid: 1_001)
            try await logind.setLocked("c9", true)
            try await logind.lock("c9")
            try await logind.setActive("c2", false)
            _ = try await bench.hears(inFront: false)
            try await logind.setActive("c2", true)
            _ = try await bench.hears(inFront: true)
            #expect(!bench.heard.contains { if case .locked = $0 { true } else { false } })
            #expect(!bench.heard.contains { if case .lockAsked = $0 { true } else { false } })
        }
    }

    @Test("Sleep is delayed until the last write, and the delay lock is taken again after waking")
    func sleep() async throws {
        let (written, write) = AsyncStream<Void>.makeStream()
        let asked = Mutex(0)
        try await run(beforeSleep: {
            asked.withLock { $0 += 1 }
            for await _ in written { return }
        }) { bench, logind, _ in
            #expect(try await logind.inhibitors().map(\.who) == ["Screen Time"])
            #expect(try await logind.inhibitors().map(\.mode) == ["delay"])

            try await logind.prepareForSleep(true)
            let began = Stopwatch.milliseconds()
            try await bench.hears("sleep") { if case .sleeping = $0 { true } else { nil } }
            try await eventually { guard asked.withLock({ $0 }) == 1 else { throw NotYet("not asked") } }
            let held = try await logind.inhibitors().count
            // The agent waits two seconds for it, which may have passed on a busy machine.
            if Stopwatch.milliseconds() - began < 2_000 { #expect(held == 1) }
            write.yield()
            let written = Stopwatch.milliseconds()
            try await eventually("the delay is over") {
                guard try await logind.inhibitors().isEmpty else { throw NotYet("still held") }
            }
            print("the delay was given up \(Stopwatch.milliseconds() - written) ms after the writing")

            try await logind.prepareForSleep(false)
            try await bench.hears("waking") { if case .woken = $0 { true } else { nil } }
            try await eventually("it is held again") {
                guard try await logind.inhibitors().count == 1 else { throw NotYet("not held") }
            }
        }
    }

    @Test("Sleep is delayed for about two seconds if the last write never finishes")
    func sleepWithoutEnd() async throws {
        try await run(beforeSleep: { try? await Task.sleep(for: .seconds(3_600)) }) { bench, logind, _ in
            let began = Stopwatch.milliseconds()
            try await logind.prepareForSleep(true)
            try await eventually("the delay is over") {
                guard try await logind.inhibitors().isEmpty else { throw NotYet("still held") }
            }
            // After two seconds the computer sleeps although the last observation was not written.
            #expect(Stopwatch.milliseconds() - began >= 1_900)
            #expect(bench.heard.contains { if case .sleeping = $0 { true } else { false } })
        }
    }

    @Test("Programs that block idling are reported, and those that block only sleep or delay are not")
    func inhibitors() async throws {
        try await run { bench, logind, _ in
            try await logind.hold("sleep", who: "Backup", why: "A copy", pid: 7)
            try await logind.hold("idle:sleep", who: "Player\u{1b}[2J", why: "A film", pid: 8)
            try await logind.hold("idle", who: "Polite", why: "Only delays", mode: "delay", pid: 9)
            try await eventually("the film's inhibitor is reported") {
                guard bench.inhibitors == [.init(who: "Player·[2J", why: "A film", pid: 8)] else {
                    throw NotYet("\(bench.inhibitors)")
                }
            }
            try await logind.hold("idle", who: "Game", why: "", pid: 10)
            try await eventually("both inhibitors are reported") {
                guard bench.inhibitors.map(\.who) == ["Player·[2J", "Game"] else {
                    throw NotYet("\(bench.inhibitors)")
                }
            }
            try await logind.release(who: "Player\u{1b}[2J")
            try await logind.release(who: "Game")
            try await eventually("none is left") {
                guard bench.inhibitors.isEmpty else { throw NotYet("\(bench.inhibitors)") }
            }
            var told: Set<String> = []
            for case .inhibitors(let list, _) in bench.heard { told.formUnion(list.map(\.who)) }
            #expect(told == ["Player·[2J", "Game"], "neither sleep alone nor a delay keeps the desktop busy")
        }
    }

    @Test(
        "A session is found by process, XDG_SESSION_ID or display, and never another user's"
    )
    func finding() async throws {
        try await run(environment: ["XDG_SESSION_ID": "c9"]) { bench, logind, buses in
            let facts = await bench.watch.facts()
            #expect(facts.session?.id == "c2" && facts.systemBusProblem == nil)

            // A session of another user with that id is not used.
            try await logind.addSession("c9", uid: 1_001)
            let other = try SessionBench(
                bench.scratch,
                buses.environment.merging(["XDG_SESSION_ID": "c9"]) { $1 }
            )
            await other.watch.start()
            #expect(await other.watch.facts().session?.id == "c2")
            await other.stop()

            try await logind.addSession("c3", uid: 1_000, pid: getpid())
            let third = try SessionBench(bench.scratch, buses.environment)
            await third.watch.start()
            #expect(await third.watch.facts().session?.id == "c3")
            await third.stop()

            let named = try SessionBench(
                bench.scratch,
                buses.environment.merging(["XDG_SESSION_ID": "c9"]) { $1 },
                uid: 1_001
            )
            await named.watch.start()
            #expect(await named.watch.facts().session?.id == "c9")
            await named.stop()
        }
    }

    @Test("A session that begins later, ends, or is replaced is reported")
    func comesLater() async throws {
        try await run(uid: 1_005) { bench, logind, _ in
            #expect(await bench.watch.facts().session == nil)
            try await logind.addSession("c5", uid: 1_005, pid: getpid())
            try await found(bench, "c5")
            try await logind.setLocked("c5", true)
            _ = try await bench.hears(locked: true)
            try await logind.removeSession("c5")
            try await found(bench, nil)
            try await logind.addSession("c6", uid: 1_005, pid: getpid())
            try await found(bench, "c6")
            _ = try await bench.hears(locked: false)
        }
    }

    private func found(_ bench: SessionBench, _ id: String?) async throws {
        try await eventually("session \(id ?? "none")") {
            let facts = await bench.watch.facts()
            guard facts.session?.id == id else { throw NotYet("\(facts)") }
        }
    }

    @Test("Without logind or a bus no session is found, and logind may start later")
    func absent() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        defer { buses.stop() }
        let bench = try SessionBench(scratch, buses.environment)
        await bench.watch.start()
        var facts = await bench.watch.facts()
        #expect(facts.systemBusProblem == nil && facts.session == nil)
        #expect(facts.screenSavers.isEmpty && facts.notifications == .counted)

        // logind may be started at any time.
        let logind = try await LogindMock(buses.system, scratch)
        defer { logind.kill() }
        try await logind.addSession("c1", uid: 1_000, pid: getpid())
        try await found(bench, "c1")
        await bench.stop()

        let nothing = try SessionBench(scratch, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
        await nothing.watch.start()
        facts = try await eventually(within: .seconds(30), "the missing bus is reported") {
            let facts = await nothing.watch.facts()
            guard facts.systemBusProblem?.contains("cannot be reached") == true else {
                throw NotYet("\(facts)")
            }
            return facts
        }
        #expect(facts.session == nil)
        #expect(facts.sessionBusProblem?.contains("no session bus") == true)
        await nothing.stop()
    }

    @Test("The state of the session is correct after restarts of logind and of the bus")
    func restarts() async throws {
        try await run { bench, logind, buses in
            try await logind.setLocked("c2", true)
            _ = try await bench.hears(locked: true)
            try await logind.hold("idle", who: "Player", why: "A film", pid: 8)
            try await eventually { guard bench.inhibitors.count == 1 else { throw NotYet("none") } }

            logind.kill()
            try await eventually { guard bench.inhibitors.isEmpty else { throw NotYet("still there") } }
            // It may be back in a moment, and then nothing has changed for the user.
            #expect(!bench.heard.contains { if case .locked(false, _) = $0 { true } else { false } })
            let second = try await LogindMock(buses.system, bench.scratch)
            try await second.addSession("c2", uid: 1_000, pid: getpid())
            _ = try await bench.hears(locked: false)
            second.kill()

            buses.system.stop()
            try await eventually("the bus is gone") {
                guard await bench.watch.facts().systemBusProblem != nil else { throw NotYet("it is there") }
            }
            try buses.system.start()
            let third = try await LogindMock(buses.system, bench.scratch)
            defer { third.kill() }
            try await third.addSession("c2", uid: 1_000, pid: getpid())
            try await found(bench, "c2")
            bench.forget()
            try await third.setLocked("c2", true)
            _ = try await bench.hears(locked: true)
        }
    }
}
