import STContracts
import STPlatform

@testable import STDesktopCore

/// A watcher, and clocks that a test moves.
struct WatchedDesk {
    var watcher = Watcher(bootID: "boot", run: "run")
    var now = TimeReading(wallMs: 1_790_000_000_000, bootMs: 1_000_000, monotonicMs: 900_000)

    /// Somebody is there, with an app in front.
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
