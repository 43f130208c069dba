import STPlatform

/// The number of repeats in tests, from `SCREENTIME_SCALE`. `scripts/test.sh` sets `fast`, and `scripts/soak.sh` sets `soak`.
/// The default is `full`, which `scripts/test.sh --all` uses. A number is a factor of `full`.
package enum TestScale {
    private static let setting = ProcessEnvironment.current()["SCREENTIME_SCALE"] ?? "full"

    package static let isSoak = setting == "soak"
    package static let isFast = setting == "fast"

    /// The number of seeds, rounds or repeats. Without `fast`, the fast scale uses a fifth of `full`.
    package static func count(_ full: Int, soak: Int, fast: Int? = nil) -> Int {
        if let factor = Double(setting) { return max(1, Int(Double(full) * factor)) }
        return isSoak ? soak : isFast ? fast ?? max(1, full / 5) : full
    }
}
