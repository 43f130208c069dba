import Glibc
import STCPlatform

/// The values of all clocks at one moment, in milliseconds.
///
/// Durations come only from `bootMs`. `wallMs` only gives the time of day of a moment, because people and programs set it. Boot
/// time minus monotonic time is the time that this machine was suspended.
package struct TimeReading: Sendable, Hashable {
    package var wallMs: Int64
    package var bootMs: Int64
    package var monotonicMs: Int64

    package init(wallMs: Int64, bootMs: Int64, monotonicMs: Int64) {
        self.wallMs = wallMs
        self.bootMs = bootMs
        self.monotonicMs = monotonicMs
    }

    package var wall: WallTime { WallTime(ms: wallMs) }
    package var boot: BootTime { BootTime(ms: bootMs) }
    package var suspendedMs: Int64 { bootMs - monotonicMs }
}

/// A source of the current time.
///
/// No code in Core or Domain reads a clock. The caller passes a reading or a source.
package protocol TimeSource: Sendable {
    func now() -> TimeReading

    /// The id changes with every start of the machine, so that boot times of two starts are never compared.
    var bootID: String { get }

    /// The IANA name of the local zone, such as `Asia/Seoul`.
    func zone() -> String

    /// Returns once boot time has reached the given moment. Throws if the task is cancelled.
    func sleep(untilBootMs: Int64) async throws

    /// Creates the waker of a `DeadlineTimer`.
    func makeWaker(_ callbacks: DeadlineCallbacks) throws(Problem) -> any DeadlineWaker

    /// True if the network or a receiver sets the wall clock. False once a person has set it.
    var isSynchronised: Bool { get }

    /// The milliseconds by which the machine's wall clock is ahead of true time. 0 while the source uses the machine's clock.
    var clockOffsetMs: Int64 { get }

    /// Accepts the machine's wall clock as true from now on.
    func acceptClock() throws

    /// The virtual clock of this source. `nil` for the machine's own clocks.
    var virtual: VirtualTimeSource? { get }
}

extension TimeSource {
    package var clockOffsetMs: Int64 { 0 }

    package func acceptClock() throws {}

    package var virtual: VirtualTimeSource? { nil }
}

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

    package var isSynchronised: Bool { st_clock_is_synchronised() == 1 }

    package func sleep(untilBootMs: Int64) async throws {
        // Boot time advances during a suspend, but the clock of `Task.sleep` may not. The loop limits the delay after a suspend to
        // one second.
        while true {
            let left = untilBootMs - Self.milliseconds(CLOCK_BOOTTIME)
            if left <= 0 { return }
            try await Task.sleep(for: .milliseconds(min(left, 1000)))
        }
    }

    package func makeWaker(_ callbacks: DeadlineCallbacks) throws(Problem) -> any DeadlineWaker {
        try SystemDeadlineWaker(callbacks)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func readBootID() -> String {
        let text = ProcFile.text("/proc/sys/kernel/random/boot_id", limit: 36)
        return text.flatMap { $0.utf8.count == 36 ? $0 : nil } ?? "unknown"
    }
}

/// The name of the local time zone, determined as glibc and systemd determine it.
package enum LocalZone {
    /// `TZ` if it names a zone, else the target of /etc/localtime, else UTC.
    package static func identifier() -> String {
        if let value = getenv("TZ").map({ String(cString: $0) }), let name = named(value) { return name }
        var buffer = [CChar](repeating: 0, count: 1024)
        let count = readlink("/etc/localtime", &buffer, buffer.count - 1)
        guard count > 0 else { return "UTC" }
        let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return named(target) ?? "UTC"
    }

    /// Accepts only names (`Europe/Berlin`, `:UTC`, `/usr/share/zoneinfo/…`). A POSIX rule such as `CET-1CEST` has no name that
    /// another machine could look up.
    private static func named(_ value: String) -> String? {
        var text = Substring(value)
        if text.hasPrefix(":") { text = text.dropFirst() }
        let marker = "zoneinfo/"
        let bytes = Array(text.utf8)
        let pattern = Array(marker.utf8)
        if bytes.count > pattern.count {
            for start in 0...(bytes.count - pattern.count)
            where Array(bytes[start..<(start + pattern.count)]) == pattern {
                return String(decoding: bytes[(start + pattern.count)...], as: UTF8.self)
            }
        }
        let isName = text.contains("/") || text == "UTC" || text == "GMT"
        return isName && !text.hasPrefix("/") ? String(text) : nil
    }
}

/// Real elapsed time, for latencies and deadlines.
///
/// Times that people read come from a `TimeSource` instead.
package enum Stopwatch {
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package static func milliseconds() -> Int64 { nanoseconds() / 1_000_000 }

    /// Real boot time, for deadlines that processes of one machine compare and that must include a suspend.
    ///
    /// The virtual clock never moves it.
    package static func bootMilliseconds() -> Int64 { bootMicroseconds() / 1000 }

    package static func bootMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// The remaining time of a poll loop.
///
/// If this process did not run for long (all its threads were busy, or the machine slept), the awaited event could not happen
/// either. Therefore the time between two checks counts for at most five seconds.
package struct WaitLimit {
    private static let step = Duration.seconds(5)

    private var remaining: Duration
    private var lastCheck: Duration

    package init(milliseconds: Int64, nowMs: Int64 = Stopwatch.milliseconds()) {
        remaining = .milliseconds(milliseconds)
        lastCheck = .milliseconds(nowMs)
    }

    /// True if the time is over. Call this after each check.
    package mutating func isOver(nowMs: Int64 = Stopwatch.milliseconds()) -> Bool {
        let now = Duration.milliseconds(nowMs)
        remaining -= min(now - lastCheck, Self.step)
        lastCheck = now
        return remaining <= .zero
    }
}
