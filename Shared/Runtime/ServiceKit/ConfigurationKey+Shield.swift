/// What the extensions of shields may use.
extension ConfigurationKey {
    /// In one call.
    package static let shieldMemoryKiB = number(
        "shield-service",
        "memory_kib",
        fallback: 6 * 1024,
        1_024...4_194_304
    )

    /// How long somebody waits for an app's own look before the system's is shown.
    package static let shieldLookMs = number("shield-service", "look_ms", fallback: 2_000, 50...60_000)

    /// The same for what an app answers to a button.
    package static let shieldActionMs = number("shield-service", "action_ms", fallback: 5_000, 50...60_000)

    package static let shieldOutputKiB = number("shield-service", "output_kib", fallback: 256, 1...65_536)

    package static let shieldKeepWarmMs = number(
        "shield-service",
        "keep_warm_ms",
        fallback: 5_000,
        0...3_600_000
    )

    /// How long what a call began may go on once it has returned.
    package static let shieldWorkMs = number("shield-service", "work_ms", fallback: 3_600_000, 0...3_600_000)

    static let shield = [
        shieldMemoryKiB, shieldLookMs, shieldActionMs, shieldOutputKiB, shieldKeepWarmMs, shieldWorkMs,
    ]
}
