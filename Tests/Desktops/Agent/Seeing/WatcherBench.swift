import STContracts
import STPlatform

@testable import STDesktopCore

/// A watcher, and clocks that a test sets.
struct WatcherBench {
    var watcher: ObservationBuilder
    var now = TimeReading(wallMs: 1_790_000_000_000, bootMs: 1_000_000, monotonicMs: 900_000)

    init(countsStops: Bool = false) {
        watcher = ObservationBuilder(bootID: "boot", run: "run", countsStops: countsStops)
    }

    /// Starts with an active person and a foreground app.
    mutating func begin(app: String?) {
        watcher.updateForeground(app, at: now.boot, now: now)
        watcher.updatePresence(.init(.active, since: now.boot), now: now)
        watcher.setCanObserve(true, now: now)
        wait(1)
    }

    /// Advances the time without any wake-up, and then runs the watcher once.
    mutating func wait(_ ms: Int64) {
        now = TimeReading(wallMs: now.wallMs + ms, bootMs: now.bootMs + ms, monotonicMs: now.monotonicMs + ms)
        watcher.tick(now)
    }

    /// Stops the process for this time.
    mutating func stop(_ ms: Int64) {
        now = TimeReading(wallMs: now.wallMs + ms, bootMs: now.bootMs + ms, monotonicMs: now.monotonicMs + ms)
        watcher.recordSuspension(now)
    }

    /// Advances the time, and runs the watcher whenever it requests a wake-up.
    mutating func run(_ ms: Int64) {
        let end = now.boot + .milliseconds(ms)
        while let next = watcher.nextTick, next <= end {
            wait(max(.zero, next - now.boot).ms)
            if isGathering { gather() }
        }
        wait((end - now.boot).ms)
    }

    var isGathering = false
    private(set) var gathered: [Observation] = []

    /// Takes the ready observations immediately, as the hub does. Otherwise several beats would become one.
    mutating func gather() { gathered += told() }

    mutating func told() -> [Observation] { watcher.takeObservations(member: "child", zone: "UTC") }
}

/// The duration of each sight, from changes with their moments.
struct ToldTime {
    private(set) var ms: [ObservedState: Int64] = [:]
    private var last: (sight: ObservedState, bootMs: Int64)?
    private var changes: [Int64] = []

    mutating func take(_ sight: ObservedState, atBootMs bootMs: Int64) {
        if let last {
            add(last.sight, bootMs - last.bootMs)
            if last.sight != sight { changes.append(bootMs) }
        }
        last = (sight, bootMs)
    }

    mutating func end(_ bootMs: Int64) {
        if let last { add(last.sight, bootMs - last.bootMs) }
        last = nil
    }

    var mostChangesInASecond: Int {
        var most = 0
        var first = 0
        for index in changes.indices {
            while changes[index] - changes[first] >= 1_000 { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    private mutating func add(_ sight: ObservedState, _ lastedMs: Int64) {
        if lastedMs > 0 { ms[sight, default: 0] += lastedMs }
    }
}
