import Glibc
import STPlatform

/// What the disk itself takes for a commit: a page added to a file, and made to last.
struct DiskBaseline {
    private static let count = 200
    private var times = Measurement()

    init(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let page = [UInt8](repeating: 7, count: 4096)
        for _ in 0..<Self.count {
            let start = Stopwatch.nanoseconds()
            guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else { return }
            times.add([Stopwatch.nanoseconds() - start])
        }
    }

    func figures(of bench: String) -> [Figure] {
        [(0.5, "p50"), (0.99, "p99")].map { fraction, name in
            Figure(
                bench: bench,
                name: "plain append and fdatasync, \(name)",
                value: times.quantileUs(fraction) / 1000,
                unit: "ms"
            )
        }
    }
}
