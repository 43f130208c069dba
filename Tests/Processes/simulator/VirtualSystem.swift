import STContracts
import STPlatform
import STSimulation
import STTestKit
import STTestSupport

/// Real services on one virtual clock.
enum VirtualSystem {
    /// 2026-03-01 00:00 UTC.
    static let startMs: Int64 = 1_772_323_200_000

    static func run(
        services: [ServiceName] = ServiceName.all,
        settleMs: Int64 = 60_000,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestSystem, SystemClock) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        let face = ClockFace(
            reading: TimeReading(wallMs: startMs, bootMs: 600_000, monotonicMs: 600_000),
            zone: "Europe/Berlin",
            bootID: "virtual"
        )
        let page = try ClockPage(creating: scratch.file("clock"), face)
        let options = TestSystemOptions(environment: [ClockPage.variable: page.path])
        try await TestSystem.run(services: services, options: options) { system in
            let clock = SystemClock(
                page: page,
                client: system.client,
                services: services,
                settleMs: settleMs
            )
            try await clock.settle()
            try await body(system, clock)
        }
    }
}

extension SystemClock {
    /// Time goes by on every clock.
    func pass(ms: Int64) async throws {
        var face = face
        face.reading.wallMs += ms
        face.reading.bootMs += ms
        face.reading.monotonicMs += ms
        try await move(to: face)
    }
}
