/// What an extension may use.
extension ConfigurationKey {
    /// What a monitor may use in one callback; the device gives 6 MB.
    package static let memoryKiB = number(
        "monitor-runner",
        "memory_kib",
        fallback: 6 * 1024,
        1_024...4_194_304
    )

    package static let callMs = number("monitor-runner", "call_ms", fallback: 30_000, 100...3_600_000)

    package static let outputKiB = number("monitor-runner", "output_kib", fallback: 256, 1...65_536)

    package static let keepWarmMs = number("monitor-runner", "keep_warm_ms", fallback: 5_000, 0...3_600_000)

    /// Of a callback that fails, before it is parked.
    package static let attempts = number("monitor-runner", "attempts", fallback: 3, 1...10)

    /// How long what a callback began may go on once it has returned; a phone does not wait for it.
    package static let workMs = number("monitor-runner", "work_ms", fallback: 3_600_000, 0...3_600_000)

    static let monitor = [memoryKiB, callMs, outputKiB, keepWarmMs, attempts, workMs]

    static func number(
        _ section: String,
        _ name: String,
        fallback: Int64,
        _ range: ClosedRange<Int64>
    ) -> ConfigurationKey {
        ConfigurationKey(
            section: section,
            name: name,
            fallback: String(fallback),
            expectation: "It is a whole number from \(range.lowerBound) to \(range.upperBound).",
            accepts: { text in Int64(text).map { range.contains($0) } ?? false }
        )
    }
}
