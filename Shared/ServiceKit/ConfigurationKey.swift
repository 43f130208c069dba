import STTelemetry

/// One setting: where it stands in the file, what it may be, and what it is when nobody says.
package struct ConfigurationKey: Sendable {
    package var section: String
    package var name: String
    package var fallback: String
    /// A sentence that says what is accepted.
    package var expectation: String
    package var accepts: @Sendable (String) -> Bool

    package var id: String { section + "/" + name }

    /// `SCREENTIME_LOG_LEVEL`, `SCREENTIME_DESKTOP_AGENT_SCRIPT`.
    package var environmentName: String {
        let words = (section.isEmpty ? [name] : [section, name]).joined(separator: "_")
        return "SCREENTIME_" + words.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    package static let logLevel = ConfigurationKey(
        section: "",
        name: "log_level",
        fallback: "info",
        expectation: "It is one of debug, info, warning, error.",
        accepts: { LogLevel(rawValue: $0) != nil }
    )

    package static let desktopScript = ConfigurationKey(
        section: "desktop-agent",
        name: "script",
        fallback: "",
        expectation: "It is the absolute path of a script of who looks at what.",
        accepts: { $0.isEmpty || $0.hasPrefix("/") }
    )

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

    package static let all = [logLevel, desktopScript, memoryKiB, callMs, outputKiB, keepWarmMs]

    private static func number(
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
