import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STDesktopCore

@Suite("The watcher under random events")
struct WatcherPropertyTests {
    /// 10,000 events each, from few to extremely many.
    @Test(
        "The watcher reports each app's time to the millisecond, in order, with at most 50 changes a second",
        arguments: 1...12
    )
    func sums(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var desk = WatcherBench()
        desk.isGathering = true
        var truth = ToldTime()
        desk.begin(app: "app-0")
        var sight = ObservedState(presence: .active, app: "app-0")
        truth.take(sight, atBootMs: desk.now.bootMs - 1)
        var app = "app-0"
        var presence = Presence.active
        var shielded: Set<String> = []
        let calmMs = [0, 1, 3, 20, 200, 4_000][seed % 6]
        for _ in 0..<10_000 {
            let pauseMs = random.number(0...Int64(max(1, calmMs * (random.number(0...20) == 0 ? 50 : 1))))
            desk.run(pauseMs)
            switch random.number(0...499) {
            case 0:
                presence = [.active, .idle, .locked, .away][random.number(0...3)]
                desk.watcher.updatePresence(.init(presence, since: desk.now.boot), now: desk.now)
            case 1:
                shielded = random.number(0...1) == 0 ? [] : ["app-\(random.number(0...4))"]
                desk.watcher.updateShieldedApps(shielded, now: desk.now)
            case 2: desk.watcher.recordNotification("mail", now: desk.now)
            case 3...20:
                desk.watcher.setCheck(at: desk.now.boot + .milliseconds(random.number(0...3_000)))
            default:
                app = "app-\(random.number(0...4))"
                desk.watcher.updateForeground(app, at: desk.now.boot, now: desk.now)
            }
            sight = ObservedState(presence: presence, app: app, isShielded: shielded.contains(app))
            truth.take(sight, atBootMs: desk.now.bootMs)
        }
        desk.run(1_000)
        desk.gather()
        let seen = desk.gathered
        var told = ToldTime()
        for one in seen {
            told.take(
                ObservedState(presence: one.presence, app: one.app, isShielded: one.shielded == true),
                atBootMs: one.bootMs
            )
        }
        truth.end(desk.now.bootMs)
        told.end(desk.now.bootMs)

        #expect(told.ms == truth.ms)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bootMs <= $1.bootMs })
        #expect(seen.map(\.sequence) == (1...Int64(seen.count)).map { $0 })
        #expect(told.mostChangesInASecond <= 50)
    }

    @Test("The watcher reports exact times of two windows that alternate every 2 ms for a minute")
    func flapping() {
        var desk = WatcherBench()
        desk.isGathering = true
        desk.begin(app: "a")
        var truth = ToldTime()
        truth.take(ObservedState(presence: .active, app: "a"), atBootMs: desk.now.bootMs - 1)
        for number in 0..<30_000 {
            desk.run(2)
            let app = number.isMultiple(of: 2) ? "b" : "a"
            desk.watcher.updateForeground(app, at: desk.now.boot, now: desk.now)
            truth.take(ObservedState(presence: .active, app: app), atBootMs: desk.now.bootMs)
        }
        desk.run(ObservationThrottle.foldLength.ms)
        desk.gather()
        truth.end(desk.now.bootMs)
        var told = ToldTime()
        for one in desk.gathered {
            told.take(ObservedState(presence: one.presence, app: one.app), atBootMs: one.bootMs)
        }
        told.end(desk.now.bootMs)

        #expect(told.ms == truth.ms)
        #expect(told.mostChangesInASecond <= 50)
        #expect(desk.gathered.last?.app == "a")
    }

    @Test("The watcher reports 500 alternating apps with at most 50 changes a second and no lost time")
    func crowd() {
        var random = SeededRandom(seed: 4)
        var desk = WatcherBench()
        desk.isGathering = true
        desk.begin(app: "a")
        for _ in 0..<20_000 {
            desk.run(1)
            desk.watcher.updateForeground(
                "app-\(random.number(0...499))",
                at: desk.now.boot,
                now: desk.now
            )
        }
        desk.run(ObservationThrottle.foldLength.ms)
        desk.gather()
        var told = ToldTime()
        for one in desk.gathered {
            told.take(ObservedState(presence: one.presence, app: one.app), atBootMs: one.bootMs)
        }
        told.end(desk.now.bootMs)

        #expect(told.mostChangesInASecond <= 50)
        #expect(told.ms.values.reduce(0, +) == 20_000 + ObservationThrottle.foldLength.ms + 1)
    }
}
