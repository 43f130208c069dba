import STPlatform

/// The clocks of the simulated device at so many milliseconds of true time after its start.
struct DeviceTime: Sendable, Equatable {
    /// How long it was on before: nothing begins at zero.
    private static let upMs: Int64 = 600_000
    static let bootID = "simulation"

    let startWallMs: Int64
    var elapsedMs: Int64 = 0
    /// By how much somebody has set the wall clock.
    var setByMs: Int64 = 0
    var suspendedMs: Int64 = 0
    var zone: String

    init(startWallMs: Int64, zone: String) {
        self.startWallMs = startWallMs
        self.zone = zone
    }

    var face: ClockFace { ClockFace(reading: reading(atMs: elapsedMs), zone: zone, bootID: Self.bootID) }

    func reading(atMs elapsedMs: Int64) -> TimeReading {
        let bootMs = Self.upMs + elapsedMs
        return TimeReading(
            wallMs: startWallMs + elapsedMs + setByMs,
            bootMs: bootMs,
            monotonicMs: bootMs - suspendedMs
        )
    }

    var wallMs: Int64 { startWallMs + elapsedMs + setByMs }

    /// When the device's clock shows this, if nobody sets it meanwhile.
    func elapsedMs(atWallMs wallMs: Int64) -> Int64 { wallMs - startWallMs - setByMs }

    func elapsedMs(atBootMs bootMs: Int64) -> Int64 { bootMs - Self.upMs }

    /// The earlier of both moments.
    func elapsedMs(of due: DueMoments) -> Int64? {
        [due.wallMs.map { elapsedMs(atWallMs: $0) }, due.bootMs.map { elapsedMs(atBootMs: $0) }]
            .compactMap { $0 }.min()
    }
}
