import STPlatform

/// How much tests repeat, from `SCREENTIME_SCALE`: `fast` as in `scripts/test.sh`, `full` as in `scripts/test.sh --all` and where nothing is set,
/// `soak` as in `scripts/soak.sh`. A number multiplies what `full` does.
package enum TestScale {
    private static let setting = ProcessEnvironment.current()["SCREENTIME_SCALE"] ?? "full"

    package static let isSoak = setting == "soak"
    package static let isFast = setting == "fast"

    /// Seeds, rounds or repeats; the fast form does a fifth of the full form where it gives no number.
    package static func count(_ full: Int, soak: Int, fast: Int? = nil) -> Int {
        if let factor = Double(setting) { return max(1, Int(Double(full) * factor)) }
        return isSoak ? soak : isFast ? fast ?? max(1, full / 5) : full
    }
}
