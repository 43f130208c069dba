package import STSupervision

/// How a system under test differs from one at home.
package struct TestSystemOptions: Sendable {
    package var environment: [String: String]
    package var restartsAfterFailure: Bool
    /// Short, so that a test of many kills has time for many.
    package var times: LifecycleTimes
    package var readyWithinMs: Int64

    package init(
        environment: [String: String] = [:],
        restartsAfterFailure: Bool = true,
        times: LifecycleTimes = LifecycleTimes(
            startMs: 30_000,
            backOffMs: 20,
            backOffMsMax: 100
        ),
        readyWithinMs: Int64 = 60_000
    ) {
        self.environment = environment
        self.restartsAfterFailure = restartsAfterFailure
        self.times = times
        self.readyWithinMs = readyWithinMs
    }
}
