import STPlatform

/// Whether the long forms of these tests run: `SCREENTIME_SOAK=1`.
enum Soak {
    static let isOn = ProcessEnvironment.current()["SCREENTIME_SOAK"] == "1"

    /// `SCREENTIME_SEED` repeats a run.
    static let seed: UInt64 =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())
}
