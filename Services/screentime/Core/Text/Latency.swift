/// Durations of the bus: microseconds to seconds.
enum Latency {
    /// `0.4ms`, `31ms`, `1.25s`; below a hundredth of a millisecond in microseconds.
    static func text(us: Int64) -> String {
        let sign = us < 0 ? "-" : ""
        let size = us.magnitude
        if size == 0 { return "0ms" }
        if size < 100 { return "\(sign)\(size)µs" }
        if size < 10_000 { return "\(sign)\(size / 1000).\(size % 1000 / 100)ms" }
        if size < 1_000_000 { return "\(sign)\(size / 1000)ms" }
        return "\(sign)\(size / 1_000_000).\(size % 1_000_000 / 100_000)s"
    }
}
