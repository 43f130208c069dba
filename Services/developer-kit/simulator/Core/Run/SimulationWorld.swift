import STContracts
import STPlatform

/// What all parts of a simulation share: the system, the device's clocks, and what came of it so far.
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

    /// What the services call a member whom the scenario names; the owner if it names none.
    func actual(_ name: String?) -> String { timeline.actual(name ?? scenario.owner) }

    func addDeed(_ text: String) { timeline.add(deed: text, time) }

    /// What the clock of the device shows, for messages.
    var clockText: String { RFC3339.text(wallMs: time.wallMs) }
}

/// The clocks of the simulated device, some milliseconds of true time after its start.
struct DeviceTime: Sendable, Equatable {
    /// How long it was on before: no clock begins at zero.
    private static let upMs: Int64 = 600_000
    static let bootID = "simulation"

    let startWallMs: Int64
    var elapsedMs: Int64 = 0
    /// By how much the wall clock was set, in all, and how much of that is believed.
    private var setByMs: Int64 = 0
    private var believedMs: Int64 = 0
    private var isSynchronised = false
    var suspendedMs: Int64 = 0
    var zone: String

    init(startWallMs: Int64, zone: String) {
        self.startWallMs = startWallMs
        self.zone = zone
    }

    /// What the machine's clocks show.
    var face: ClockFace {
        var shown = reading(atMs: elapsedMs)
        shown.wallMs += setByMs - believedMs
        return ClockFace(reading: shown, zone: zone, bootID: Self.bootID, isSynchronised: isSynchronised)
    }

    /// A person sets the wall clock, or a server of time does.
    mutating func setClock(byMs ms: Int64, isSynchronised: Bool) {
        setByMs += ms
        self.isSynchronised = isSynchronised
        if isSynchronised { believedMs = setByMs }
    }

    /// What is true at some moment; an agent reports it.
    func reading(atMs elapsedMs: Int64) -> TimeReading {
        let bootMs = Self.upMs + elapsedMs
        return TimeReading(
            wallMs: startWallMs + elapsedMs + believedMs,
            bootMs: bootMs,
            monotonicMs: bootMs - suspendedMs
        )
    }

    var wallMs: Int64 { startWallMs + elapsedMs + believedMs }

    /// When it is this time, unless the clock is put right before then.
    func elapsedMs(atWallMs wallMs: Int64) -> Int64 { wallMs - startWallMs - believedMs }

    func elapsedMs(atBootMs bootMs: Int64) -> Int64 { bootMs - Self.upMs }

    /// The earlier of both moments.
    func elapsedMs(of due: DueMoments) -> Int64? {
        [due.wallMs.map { elapsedMs(atWallMs: $0) }, due.bootMs.map { elapsedMs(atBootMs: $0) }]
            .compactMap { $0 }.min()
    }
}
