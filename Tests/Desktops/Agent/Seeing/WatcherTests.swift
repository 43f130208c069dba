import STContracts
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("What the watcher tells")
struct WatcherTests {
    private var desk = WatcherBench()

    @Test("a change, with the moment of the change itself")
    mutating func change() {
        desk.begin(app: "editor")
        desk.wait(1_000)
        desk.watcher.sees("browser", atBootMs: desk.now.bootMs - 7, now: desk.now)
        let seen = desk.told()

        #expect(seen.map(\.app) == ["editor", "browser"])
        #expect(seen.map(\.presence) == [.active, .active])
        #expect(seen.map(\.sequence) == [1, 2])
        #expect(seen[1].bootMs == desk.now.bootMs - 7)
        #expect(seen[1].wallMs == desk.now.wallMs - 7)
        #expect(seen[1].monotonicMs == desk.now.monotonicMs - 7)
        #expect(seen[1].unbroken == nil)
    }

    @Test("nothing before the screen is known, and then what is in front")
    mutating func start() {
        desk.watcher.hears(.init(.active, atBootMs: desk.now.bootMs), now: desk.now)
        desk.watcher.sees("editor", atBootMs: desk.now.bootMs, now: desk.now)
        desk.wait(20_000)
        #expect(desk.told().isEmpty)
        desk.watcher.sight(true, now: desk.now)
        desk.wait(1)

        #expect(desk.told().map(\.app) == ["editor"])
    }

    @Test("still so, every five seconds while a person is there")
    mutating func beats() {
        desk.isGathering = true
        desk.begin(app: "editor")
        desk.run(60_000)
        let seen = desk.gathered

        #expect(seen.count == 13)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $1.bootMs - $0.bootMs == 5_000 })
        #expect(seen.allSatisfy { $0.unbroken == nil && $0.app == "editor" })
    }

    @Test("still so, at the moment at which something may be due", arguments: [1, 1_234, 4_999])
    mutating func check(afterMs: Int64) {
        desk.begin(app: "editor")
        let start = desk.told()[0].bootMs
        desk.watcher.check(atBootMs: start + afterMs)
        desk.run(4_999)

        #expect(desk.told().map(\.bootMs) == [start + afterMs])
    }

    @Test("no moment that is past, and none while the person is away")
    mutating func checkOfNothing() {
        desk.begin(app: "editor")
        desk.wait(100)
        desk.watcher.check(atBootMs: desk.now.bootMs - 200)
        #expect(desk.watcher.nextBootMs.map { $0 > desk.now.bootMs } == true)
        desk.watcher.hears(.init(.idle, atBootMs: desk.now.bootMs), now: desk.now)
        desk.wait(1)
        desk.watcher.check(atBootMs: desk.now.bootMs + 500)

        #expect(desk.watcher.nextBootMs == nil)
    }

    @Test(
        "nothing while the person is away, also when windows change",
        arguments: [Presence.idle, .locked, .away]
    )
    mutating func absence(presence: Presence) {
        desk.begin(app: "editor")
        desk.watcher.hears(.init(presence, atBootMs: desk.now.bootMs), now: desk.now)
        desk.wait(1)
        desk.watcher.sees("mail", atBootMs: desk.now.bootMs, now: desk.now)
        desk.run(3_600_000)
        desk.watcher.hears(.init(.active, atBootMs: desk.now.bootMs), now: desk.now)
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.map(\.presence) == [.active, presence, .active])
        #expect(seen.map(\.app) == ["editor", nil, "mail"])
    }

    @Test("that nothing can be seen, at once when the display is gone, and now and then")
    mutating func blind() {
        desk.isGathering = true
        desk.begin(app: "editor")
        desk.wait(10)
        desk.watcher.sight(false, now: desk.now)
        desk.run(600_002)
        desk.watcher.sight(true, now: desk.now)
        desk.watcher.sees("mail", atBootMs: desk.now.bootMs, now: desk.now)
        desk.wait(1)
        desk.gather()
        let seen = desk.gathered

        #expect(seen.map(\.presence) == [.active, .unobserved, .unobserved, .unobserved, .active])
        #expect(seen.map(\.app) == ["editor", nil, nil, nil, "mail"])
    }

    @Test("what the session knows by itself, also on a desktop that cannot be seen")
    mutating func blindAndLocked() {
        desk.watcher.sight(false, now: desk.now)
        desk.wait(1)
        for presence in [Presence.idle, .locked, .away, .suspended, .active] {
            desk.watcher.hears(.init(presence, atBootMs: desk.now.bootMs), now: desk.now)
            desk.wait(2)
        }

        #expect(desk.told().map(\.presence) == [.unobserved, .locked, .away, .suspended, .unobserved])
    }

    @Test("time before a shield as that, from the moment of the shield on")
    mutating func shielded() {
        desk.begin(app: "game")
        desk.wait(100)
        desk.watcher.shield(["game", "other"], now: desk.now)
        desk.wait(100)
        desk.watcher.sees("editor", atBootMs: desk.now.bootMs, now: desk.now)
        desk.wait(100)
        desk.watcher.sees("game", atBootMs: desk.now.bootMs, now: desk.now)
        desk.wait(100)
        desk.watcher.shield([], now: desk.now)
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.map(\.app) == ["game", "game", "editor", "game", "game"])
        #expect(seen.map(\.shielded) == [nil, true, nil, true, nil])
    }

    @Test("notifications with the next observation, or by themselves while the person is away")
    mutating func notifications() {
        desk.begin(app: "editor")
        _ = desk.told()
        desk.watcher.notified("mail", now: desk.now)
        desk.watcher.notified("mail", 2, now: desk.now)
        desk.watcher.sees("browser", atBootMs: desk.now.bootMs, now: desk.now)
        desk.wait(1)
        #expect(desk.told().map(\.notifications) == [["mail": 3]])
        desk.watcher.hears(.init(.locked, atBootMs: desk.now.bootMs), now: desk.now)
        desk.wait(1)
        for number in 0..<120 { desk.watcher.notified("app-\(number)", now: desk.now) }
        desk.isGathering = true
        desk.run(60_000)
        let seen = desk.gathered

        #expect(seen.map(\.presence) == Array(repeating: .locked, count: 4))
        #expect(seen.map { $0.notifications?.count ?? 0 } == [0, 50, 50, 20])
    }

    @Test("one observation for what happens within a millisecond")
    mutating func sameMillisecond() {
        desk.begin(app: "editor")
        for app in ["a", "b", "c"] { desk.watcher.sees(app, atBootMs: desk.now.bootMs, now: desk.now) }
        desk.wait(5)
        for app in ["a", "b", "c"] { desk.watcher.sees(app, atBootMs: desk.now.bootMs, now: desk.now) }
        desk.wait(5)

        #expect(desk.told().map(\.app) == ["editor", "c"])
    }

    @Test("nothing before the last observation, even if the display says so")
    mutating func neverBack() {
        desk.begin(app: "editor")
        desk.run(7_000)
        desk.watcher.sees("mail", atBootMs: desk.now.bootMs - 6_000, now: desk.now)
        desk.wait(1)
        desk.watcher.sees("game", atBootMs: desk.now.bootMs + 60_000, now: desk.now)
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.map(\.app) == ["editor", "editor", "mail", "game"])
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bootMs <= $1.bootMs })
        #expect(seen.allSatisfy { $0.bootMs <= desk.now.bootMs })
    }

    @Test("nothing of the time in which it did not run, if that was long or a stop")
    mutating func stalls() {
        desk.begin(app: "editor")
        desk.wait(9_000)
        desk.gather()
        desk.wait(30_000)
        desk.wait(1)
        desk.gather()
        let startMs = desk.gathered[0].bootMs
        func since(_ list: [Observation]) -> [String] {
            list.map { "\($0.bootMs - startMs) \($0.presence) \($0.app ?? "-")" }
        }
        #expect(
            since(desk.gathered) == [
                "0 active editor", "9001 active editor", "9001 unobserved -", "39001 active editor",
            ]
        )

        // A stop of any length; what came meanwhile is dated back.
        desk.wait(2_000)
        desk.stop(900)
        desk.watcher.sees("game", atBootMs: desk.now.bootMs - 500, now: desk.now)
        desk.wait(1)
        #expect(since(desk.told()) == ["41002 unobserved -", "41902 active game"])
    }

    @Test("time in which its process was stopped as use of an unknown app, on a protected computer")
    mutating func stopsCount() {
        desk = WatcherBench(countsStops: true)
        desk.begin(app: "editor")
        let inputBootMs = desk.now.bootMs
        desk.watcher.hears(.init(.active, atBootMs: desk.now.bootMs, inputBootMs: inputBootMs), now: desk.now)
        desk.wait(2_000)
        desk.stop(900_000)
        desk.wait(1)
        let seen = desk.told()
        #expect(seen.map(\.app) == ["editor", UsageObserve.unseenApp, "editor"])
        #expect(seen.map(\.presence) == [.active, .active, .active])
        // Input during the stop is unknown, so the ledger must not later count this time as idle.
        #expect(seen.suffix(2).map(\.inputBootMs) == seen.suffix(2).map(\.bootMs))

        // A session may be unlocked during a stop.
        for (before, after, isUse) in [
            (Presence.locked, Presence.active, true), (.away, .active, true), (.idle, .idle, true),
            (.locked, .locked, false), (.away, .away, false), (.suspended, .active, false),
        ] {
            desk = WatcherBench(countsStops: true)
            desk.begin(app: "editor")
            desk.watcher.hears(.init(before, atBootMs: desk.now.bootMs), now: desk.now)
            desk.wait(1)
            desk.stop(1_000)
            desk.watcher.hears(.init(after, atBootMs: desk.now.bootMs), now: desk.now)
            desk.wait(2)
            let apps = desk.told().map(\.app)
            #expect(apps.contains(UsageObserve.unseenApp) == isUse, "\(before) to \(after): \(apps)")
        }
    }

    @Test("no stop if systemd ends the process, unless it had not run for longer than a beat")
    mutating func ends() {
        for (ms, isStop) in [(Int64(4_000), false), (8_000, true)] {
            desk = WatcherBench(countsStops: true)
            desk.begin(app: "editor")
            let now = desk.now
            desk.now = TimeReading(
                wallMs: now.wallMs + ms,
                bootMs: now.bootMs + ms,
                monotonicMs: now.monotonicMs + ms
            )
            desk.watcher.wasStopped(desk.now, isEnding: true)
            desk.watcher.end(desk.now)
            #expect(desk.told().contains { $0.app == UsageObserve.unseenApp } == isStop, "\(ms)")
        }
    }

    @Test("that the machine slept, by its clocks, and no break for that")
    mutating func sleep() {
        desk.begin(app: "editor")
        desk.now.wallMs += 3_600_000
        desk.now.bootMs += 3_600_000
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.count == 2)
        #expect(seen[1].reading.suspendedMs - seen[0].reading.suspendedMs == 3_600_000)
        #expect(seen[1].unbroken == nil)
    }

    @Test("hours of one app in few words, until it is known whose they are")
    mutating func unknownMember() {
        desk.begin(app: "editor")
        desk.run(7_200_000)
        let seen = desk.told()

        #expect(seen.count == 2)
        #expect(seen.last?.unbroken == true)
        #expect(seen.last.map { $0.bootMs - seen[0].bootMs } == 7_200_000)
    }

    @Test("its end, and a new run from the first number on")
    mutating func end() {
        desk.begin(app: "editor")
        desk.wait(100)
        desk.watcher.sees("mail", atBootMs: desk.now.bootMs, now: desk.now)
        desk.watcher.end(desk.now)
        let seen = desk.told()
        #expect(seen.map(\.presence) == [.active, .unobserved])
        desk.watcher.beginRun("another")
        desk.watcher.sight(true, now: desk.now)
        desk.wait(1)

        #expect(desk.watcher.run == "another")
        #expect(desk.told().map(\.sequence) == [1])
    }
}
