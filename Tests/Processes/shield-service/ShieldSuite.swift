import STPlatform
import Testing

/// Tests of real processes: one after the other, because each of them wants the whole machine.
@Suite("Shields and the extensions of apps", .serialized)
enum ShieldSuite {
    /// Whether the long forms of these tests run.
    static let isSoak = ProcessEnvironment.current()["SCREENTIME_SOAK"] == "1"

    /// `SCREENTIME_SEED` repeats a run.
    static let seed: UInt64 =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())
}
