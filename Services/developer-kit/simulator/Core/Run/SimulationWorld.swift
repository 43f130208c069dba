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
        time = DeviceTime(start: scenario.start, zone: scenario.zone)
    }

    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await backend.call(route, request)
    }

    /// Returns the name that the services use for a member of the scenario. `nil` means the owner.
    func actual(_ name: String?) -> String { timeline.actual(name ?? scenario.owner) }

    func addEntry(_ text: String) { timeline.add(deed: text, time) }

    /// The time on the device's clock, for messages.
    var clockText: String { RFC3339.text(wallMs: time.wall.ms) }
}

/// The clocks of the simulated device. `elapsed` is the true time since the start.
struct DeviceTime: Sendable, Equatable {
    /// The uptime at the start, because real clocks do not start at zero.
    private static let initialUptime = Duration.seconds(600)
    static let bootID = "simulation"

    let start: WallTime
    var elapsed = Duration.zero
    /// The sum of all changes of the wall clock, and the part of it that the services trust.
    private var setBy = Duration.zero
    private var trusted = Duration.zero
    private var isSynchronised = false
    var suspended = Duration.zero
    var zone: String

    init(start: WallTime, zone: String) {
        self.start = start
        self.zone = zone
    }

    /// The times that the machine's clocks show.
    var face: ClockState {
        var shown = reading(at: elapsed)
        shown.wallMs += (setBy - trusted).ms
        return ClockState(reading: shown, zone: zone, bootID: Self.bootID, isSynchronised: isSynchronised)
    }

    /// Changes the wall clock. `isSynchronised` is true for a time server, and false for a person.
    mutating func setClock(by length: Duration, isSynchronised: Bool) {
        setBy += length
        self.isSynchronised = isSynchronised
        if isSynchronised { trusted = setBy }
    }

    /// Returns the true time, which an agent reports.
    func reading(at elapsed: Duration) -> TimeReading {
        let uptime = Self.initialUptime + elapsed
        return TimeReading(
            wallMs: (start + elapsed + trusted).ms,
            bootMs: uptime.ms,
            monotonicMs: (uptime - suspended).ms
        )
    }

    var wall: WallTime { start + elapsed + trusted }

    /// Returns the elapsed time at a wall-clock time, if the clock is not synchronised in the meantime.
    func elapsed(at wall: WallTime) -> Duration { wall - start - trusted }

    func elapsed(at boot: BootTime) -> Duration { .milliseconds(boot.ms) - Self.initialUptime }

    /// Returns the earlier of both moments.
    func elapsed(of due: Deadlines) -> Duration? {
        let (wall, boot) = (due.wallMs.map(WallTime.init), due.bootMs.map(BootTime.init))
        return [wall.map { elapsed(at: $0) }, boot.map { elapsed(at: $0) }]
            .compactMap { $0 }.min()
    }
}
