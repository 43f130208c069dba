import STContracts
import STPlatform

/// The shared state of a simulation: the system, the device's clocks and the timeline so far.
final class SimulationWorld {
    let scenario: Scenario
    let backend: any SimulationBackend
    var time: DeviceTime
    var timeline = TimelineBuilder(owner: "", named: "")

    init(_ scenario: Scenario, on backend: any SimulationBackend) {
        self.scenario = scenario
        self.backend = backend
        time = DeviceTime(startWallMs: scenario.startWallMs, zone: scenario.zone)
    }

    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await backend.call(route, request)
    }

    /// Returns the name that the services use for a member of the scenario. `nil` means the owner.
    func actual(_ name: String?) -> String { timeline.actual(name ?? scenario.owner) }

    func addEntry(_ text: String) { timeline.add(deed: text, time) }

    /// The time on the device's clock, for messages.
    var clockText: String { RFC3339.text(wallMs: time.wallMs) }
}

/// The clocks of the simulated device. `elapsedMs` is the true time since the start, in milliseconds.
struct DeviceTime: Sendable, Equatable {
    /// The uptime at the start, because real clocks do not start at zero.
    private static let upMs: Int64 = 600_000
    static let bootID = "simulation"

    let startWallMs: Int64
    var elapsedMs: Int64 = 0
    /// The sum of all changes of the wall clock, and the part of it that the services trust.
    private var setByMs: Int64 = 0
    private var trustedMs: Int64 = 0
    private var isSynchronised = false
    var suspendedMs: Int64 = 0
    var zone: String

    init(startWallMs: Int64, zone: String) {
        self.startWallMs = startWallMs
        self.zone = zone
    }

    /// The times that the machine's clocks show.
    var face: ClockState {
        var shown = reading(atMs: elapsedMs)
        shown.wallMs += setByMs - trustedMs
        return ClockState(reading: shown, zone: zone, bootID: Self.bootID, isSynchronised: isSynchronised)
    }

    /// Changes the wall clock. `isSynchronised` is true for a time server, and false for a person.
    mutating func setClock(byMs ms: Int64, isSynchronised: Bool) {
        setByMs += ms
        self.isSynchronised = isSynchronised
        if isSynchronised { trustedMs = setByMs }
    }

    /// Returns the true time, which an agent reports.
    func reading(atMs elapsedMs: Int64) -> TimeReading {
        let bootMs = Self.upMs + elapsedMs
        return TimeReading(
            wallMs: startWallMs + elapsedMs + trustedMs,
            bootMs: bootMs,
            monotonicMs: bootMs - suspendedMs
        )
    }

    var wallMs: Int64 { startWallMs + elapsedMs + trustedMs }

    /// Returns the elapsed time at a wall-clock time, if the clock is not synchronised in the meantime.
    func elapsedMs(atWallMs wallMs: Int64) -> Int64 { wallMs - startWallMs - trustedMs }

    func elapsedMs(atBootMs bootMs: Int64) -> Int64 { bootMs - Self.upMs }

    /// Returns the earlier of both moments.
    func elapsedMs(of due: Deadlines) -> Int64? {
        [due.wallMs.map { elapsedMs(atWallMs: $0) }, due.bootMs.map { elapsedMs(atBootMs: $0) }]
            .compactMap { $0 }.min()
    }
}
