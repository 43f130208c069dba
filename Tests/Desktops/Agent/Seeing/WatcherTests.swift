import STContracts
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Observations of the watcher")
struct WatcherTests {
    private var desk = WatcherBench()

    @Test("The watcher reports a change of the foreground app with the time of the change")
    mutating func change() {
        desk.begin(app: "editor")
        desk.wait(1_000)
        desk.watcher.updateForeground("browser", at: desk.now.boot - .milliseconds(7), now: desk.now)
        let seen = desk.told()

        #expect(seen.map(\.app) == ["editor", "browser"])
        #expect(seen.map(\.presence) == [.active, .active])
        #expect(seen.map(\.sequence) == [1, 2])
        #expect(seen[1].bootMs == desk.now.bootMs - 7)
        #expect(seen[1].wallMs == desk.now.wallMs - 7)
        #expect(seen[1].monotonicMs == desk.now.monotonicMs - 7)
        #expect(seen[1].unbroken == nil)
    }

    @Test("The watcher reports nothing before the screen is ready, and then the foreground app")
    mutating func start() {
        desk.watcher.updatePresence(.init(.active, since: desk.now.boot), now: desk.now)
        desk.watcher.updateForeground("editor", at: desk.now.boot, now: desk.now)
        desk.wait(20_000)
        #expect(desk.told().isEmpty)
        desk.watcher.setCanObserve(true, now: desk.now)
        desk.wait(1)

        #expect(desk.told().map(\.app) == ["editor"])
    }

    @Test("The watcher repeats its observation every five seconds while a person is active")
    mutating func beats() {
        desk.isGathering = true
        desk.begin(app: "editor")
        desk.run(60_000)
        let seen = desk.gathered

        #expect(seen.count == 13)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $1.bootMs - $0.bootMs == 5_000 })
        #expect(seen.allSatisfy { $0.unbroken == nil && $0.app == "editor" })
    }

    @Test(
        "The watcher repeats its observation at the time of a requested check",
        arguments: [1, 1_234, 4_999]
    )
    mutating func check(afterMs: Int64) {
        desk.begin(app: "editor")
        let start = desk.told()[0].bootMs
        desk.watcher.setCheck(at: BootTime(ms: start + afterMs))
        desk.run(4_999)

        #expect(desk.told().map(\.bootMs) == [start + afterMs])
    }

    @Test("The watcher schedules no check for a past time, or while the person is idle")
    mutating func checkOfNothing() {
        desk.begin(app: "editor")
        desk.wait(100)
        desk.watcher.setCheck(at: desk.now.boot - .milliseconds(200))
        #expect(desk.watcher.nextTick.map { $0 > desk.now.boot } == true)
        desk.watcher.updatePresence(.init(.idle, since: desk.now.boot), now: desk.now)
        desk.wait(1)
        desk.watcher.setCheck(at: desk.now.boot + .milliseconds(500))

        #expect(desk.watcher.nextTick == nil)
    }

    @Test(
        "The watcher reports no changes of windows while the person is away",
        arguments: [Presence.idle, .locked, .away]
    )
    mutating func absence(presence: Presence) {
        desk.begin(app: "editor")
        desk.watcher.updatePresence(.init(presence, since: desk.now.boot), now: desk.now)
        desk.wait(1)
        desk.watcher.updateForeground("mail", at: desk.now.boot, now: desk.now)
        desk.run(3_600_000)
        desk.watcher.updatePresence(.init(.active, since: desk.now.boot), now: desk.now)
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.map(\.presence) == [.active, presence, .active])
        #expect(seen.map(\.app) == ["editor", nil, "mail"])
    }

    @Test(
        "The watcher reports unobserved time immediately when the display is lost, and periodically after that"
    )
    mutating func blind() {
        desk.isGathering = true
        desk.begin(app: "editor")
        desk.wait(10)
        desk.watcher.setCanObserve(false, now: desk.now)
        desk.run(600_002)
        desk.watcher.setCanObserve(true, now: desk.now)
        desk.watcher.updateForeground("mail", at: desk.now.boot, now: desk.now)
        desk.wait(1)
        desk.gather()
        let seen = desk.gathered

        #expect(seen.map(\.presence) == [.active, .unobserved, .unobserved, .unobserved, .active])
        #expect(seen.map(\.app) == ["editor", nil, nil, nil, "mail"])
    }

    @Test("The watcher reports a locked, away or suspended session even if the desktop is unobserved")
    mutating func blindAndLocked() {
        desk.watcher.setCanObserve(false, now: desk.now)
        desk.wait(1)
        for presence in [Presence.idle, .locked, .away, .suspended, .active] {
            desk.watcher.updatePresence(.init(presence, since: desk.now.boot), now: desk.now)
            desk.wait(2)
        }

        #expect(desk.told().map(\.presence) == [.unobserved, .locked, .away, .suspended, .unobserved])
    }

    @Test("The watcher marks usage as shielded from the moment of the shield")
    mutating func shielded() {
        desk.begin(app: "game")
        desk.wait(100)
        desk.watcher.updateShieldedApps(["game", "other"], now: desk.now)
        desk.wait(100)
        desk.watcher.updateForeground("editor", at: desk.now.boot, now: desk.now)
        desk.wait(100)
        desk.watcher.updateForeground("game", at: desk.now.boot, now: desk.now)
        desk.wait(100)
        desk.watcher.updateShieldedApps([], now: desk.now)
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.map(\.app) == ["game", "game", "editor", "game", "game"])
        #expect(seen.map(\.shielded) == [nil, true, nil, true, nil])
    }

    @Test("Notifications are reported with the next observation, or separately while the person is away")
    mutating func notifications() {
        desk.begin(app: "editor")
        _ = desk.told()
        desk.watcher.recordNotification("mail", now: desk.now)
        desk.watcher.recordNotification("mail", 2, now: desk.now)
        desk.watcher.updateForeground("browser", at: desk.now.boot, now: desk.now)
        desk.wait(1)
        #expect(desk.told().map(\.notifications) == [["mail": 3]])
        desk.watcher.updatePresence(.init(.locked, since: desk.now.boot), now: desk.now)
        desk.wait(1)
        for number in 0..<120 { desk.watcher.recordNotification("app-\(number)", now: desk.now) }
        desk.isGathering = true
        desk.run(60_000)
        let seen = desk.gathered

        #expect(seen.map(\.presence) == Array(repeating: .locked, count: 4))
        #expect(seen.map { $0.notifications?.count ?? 0 } == [0, 50, 50, 20])
    }

    @Test("Changes within one millisecond become one observation")
    mutating func sameMillisecond() {
        desk.begin(app: "editor")
        for app in ["a", "b", "c"] {
            desk.watcher.updateForeground(app, at: desk.now.boot, now: desk.now)
        }
        desk.wait(5)
        for app in ["a", "b", "c"] {
            desk.watcher.updateForeground(app, at: desk.now.boot, now: desk.now)
        }
        desk.wait(5)

        #expect(desk.told().map(\.app) == ["editor", "c"])
    }

    @Test("No observation is dated before the previous one or in the future")
    mutating func neverBack() {
        desk.begin(app: "editor")
        desk.run(7_000)
        desk.watcher.updateForeground("mail", at: desk.now.boot - .milliseconds(6_000), now: desk.now)
        desk.wait(1)
        desk.watcher.updateForeground("game", at: desk.now.boot + .milliseconds(60_000), now: desk.now)
        desk.wait(1)
        let seen = desk.told()

        #expect(seen.map(\.app) == ["editor", "editor", "mail", "game"])
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bootMs <= $1.bootMs })
        #expect(seen.allSatisfy { $0.bootMs <= desk.now.bootMs })
    }

    @Test("The watcher reports a long stall or a stop of its process as unobserved time")
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

        // A stop of any length. Changes during it are dated back.
        desk.wait(2_000)
        desk.stop(900)
        desk.watcher.updateForeground("game", at: desk.now.boot - .milliseconds(500), now: desk.now)
        desk.wait(1)
        #expect(since(desk.told()) == ["41002 unobserved -", "41902 active game"])
    }

    @Test("On a protected computer a stop of the watcher's process is reported as use of an unknown app")
    mutating func stopsCount() {
        desk = WatcherBench(countsStops: true)
        desk.begin(app: "editor")
        let lastInput = desk.now.boot
        desk.watcher.updatePresence(
            .init(.active, since: desk.now.boot, lastInput: lastInput),
            now: desk.now
        )
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
            desk.watcher.updatePresence(.init(before, since: desk.now.boot), now: desk.now)
            desk.wait(1)
            desk.stop(1_000)
            desk.watcher.updatePresence(.init(after, since: desk.now.boot), now: desk.now)
            desk.wait(2)
            let apps = desk.told().map(\.app)
            #expect(apps.contains(UsageObserve.unseenApp) == isUse, "\(before) to \(after): \(apps)")
        }
    }

    @Test("When systemd ends the process, time it did not run counts as a stop only beyond one beat")
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
            desk.watcher.recordSuspension(desk.now, isEnding: true)
            desk.watcher.end(desk.now)
            #expect(desk.told().contains { $0.app == UsageObserve.unseenApp } == isStop, "\(ms)")
        }
    }

    @Test("Sleep of the machine appears in the clocks of an observation and does not interrupt usage")
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

    @Test("Two hours of one app need two observations while the member is unknown")
    mutating func unknownMember() {
        desk.begin(app: "editor")
        desk.run(7_200_000)
        let seen = desk.told()

        #expect(seen.count == 2)
        #expect(seen.last?.unbroken == true)
        #expect(seen.last.map { $0.bootMs - seen[0].bootMs } == 7_200_000)
    }

    @Test("The watcher ends a run with unobserved time, and a new run starts its sequence at 1")
    mutating func end() {
        desk.begin(app: "editor")
        desk.wait(100)
        desk.watcher.updateForeground("mail", at: desk.now.boot, now: desk.now)
        desk.watcher.end(desk.now)
        let seen = desk.told()
        #expect(seen.map(\.presence) == [.active, .unobserved])
        desk.watcher.beginRun("another")
        desk.watcher.setCanObserve(true, now: desk.now)
        desk.wait(1)

        #expect(desk.watcher.run == "another")
        #expect(desk.told().map(\.sequence) == [1])
    }
}
