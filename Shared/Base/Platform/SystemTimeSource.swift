import Glibc

/// The machine's own clocks.
package struct SystemTimeSource: TimeSource {
    package let bootID: String

    package init() {
        bootID = Self.readBootID()
    }

    package func now() -> TimeReading { Self.reading() }

    static func reading() -> TimeReading {
        TimeReading(
            wallMs: milliseconds(CLOCK_REALTIME),
            bootMs: milliseconds(CLOCK_BOOTTIME),
            monotonicMs: milliseconds(CLOCK_MONOTONIC)
        )
    }

    package func zone() -> String { LocalZone.identifier() }

    package func sleep(untilBootMs: Int64) async throws {
        // Boot time runs on through a suspend and the sleeping clock may not, hence the loop: one second at the most
        // is slept too long after waking up.
        while true {
            let left = untilBootMs - Self.milliseconds(CLOCK_BOOTTIME)
            if left <= 0 { return }
            try await Task.sleep(for: .milliseconds(min(left, 1000)))
        }
    }

    package func makeWaker(_ callbacks: DueCallbacks) throws(Problem) -> any DueWaker {
        try SystemDueWaker(callbacks)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func readBootID() -> String {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "unknown" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 36)
        let count = read(descriptor, &buffer, buffer.count)
        return count == 36 ? String(decoding: buffer, as: UTF8.self) : "unknown"
    }
}
