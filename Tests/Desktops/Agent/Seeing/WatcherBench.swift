import STContracts
import STPlatform

@testable import STDesktopCore

/// A watcher, and clocks that a test moves.
struct WatcherBench {
    var watcher: Watcher
    var now = TimeReading(wallMs: 1_790_000_000_000, bootMs: 1_000_000, monotonicMs: 900_000)

    init(countsStops: Bool = false) {
        watcher = Watcher(bootID: "boot", run: "run", countsStops: countsStops)
    }

    /// A person is there, with an app in front.
    mutating func begin(app: String?) {
        watcher.sees(app, atBootMs: now.bootMs, now: now)
        watcher.hears(.init(.active, atBootMs: now.bootMs), now: now)
        watcher.sight(true, now: now)
        wait(1)
    }

    /// Nothing runs meanwhile; then the watcher does once.
    mutating func wait(_ ms: Int64) {
        now = TimeReading(wallMs: now.wallMs + ms, bootMs: now.bootMs + ms, monotonicMs: now.monotonicMs + ms)
        watcher.tick(now)
    }

    /// Stops the process for this time.
    mutating func stop(_ ms: Int64) {
        now = TimeReading(wallMs: now.wallMs + ms, bootMs: now.bootMs + ms, monotonicMs: now.monotonicMs + ms)
        watcher.wasStopped(now)
    }

    /// The watcher runs whenever it wants to.
    mutating func run(_ ms: Int64) {
        let end = now.bootMs + ms
        while let next = watcher.nextBootMs, next <= end {
            wait(max(0, next - now.bootMs))
            if isGathering { gather() }
        }
        wait(end - now.bootMs)
    }

    var isGathering = false
    private(set) var gathered: [Observation] = []

    /// Takes what is ready, as the hub does at once; else beats would be told as one.
    mutating func gather() { gathered += told() }

    mutating func told() -> [Observation] { watcher.take(member: "child", zone: "UTC") }
}

/// How long each sight lasted, by changes with their moments.
struct ToldTime {
    private(set) var ms: [Sight: Int64] = [:]
    private var last: (sight: Sight, bootMs: Int64)?
    private var changes: [Int64] = []

    mutating func take(_ sight: Sight, atBootMs bootMs: Int64) {
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

    private mutating func add(_ sight: Sight, _ lastedMs: Int64) {
        if lastedMs > 0 { ms[sight, default: 0] += lastedMs }
    }
}
