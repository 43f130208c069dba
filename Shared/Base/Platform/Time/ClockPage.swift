import Glibc
import STCVirtualClock
import Synchronization

/// All values of a virtual clock at one moment.
package struct ClockState: Sendable, Hashable {
    package var reading: TimeReading
    /// The IANA name of the local zone.
    package var zone: String
    /// The id changes with every start of the machine.
    package var bootID: String
    /// True if a time server or receiver sets the wall clock.
    package var isSynchronised: Bool

    package init(reading: TimeReading, zone: String, bootID: String, isSynchronised: Bool = false) {
        self.reading = reading
        self.zone = zone
        self.bootID = bootID
        self.isSynchronised = isSynchronised
    }

    init(_ values: st_clock_values) {
        reading = TimeReading(
            wallMs: values.wall_ms,
            bootMs: values.boot_ms,
            monotonicMs: values.monotonic_ms
        )
        zone = withUnsafeBytes(of: values.zone) { Self.text($0) }
        bootID = withUnsafeBytes(of: values.boot_id) { Self.text($0) }
        isSynchronised = values.is_synchronised != 0
    }

    func values() throws(Problem) -> st_clock_values {
        var values = st_clock_values()
        values.wall_ms = reading.wallMs
        values.boot_ms = reading.bootMs
        values.monotonic_ms = reading.monotonicMs
        values.is_synchronised = isSynchronised ? 1 : 0
        let room = Int(ST_CLOCK_TEXT_BYTES) - 1
        for text in [zone, bootID] where text.isEmpty || text.utf8.count > room || text.utf8.contains(0) {
            throw Problem(
                "clock.bad_name",
                "A time zone and a boot ID must have 1 to \(room, "room") bytes; “\(text, "text")” does not."
            )
        }
        withUnsafeMutableBytes(of: &values.zone) { $0.copyBytes(from: zone.utf8) }
        withUnsafeMutableBytes(of: &values.boot_id) { $0.copyBytes(from: bootID.utf8) }
        return values
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// A file with the clocks of a whole system of processes. Each process maps it.
///
/// The process that created the page moves the clocks. `VirtualTimeSource` and the preloaded `screentime-clock` read them.
package final class ClockPage: @unchecked Sendable {
    // @unchecked: the pointer is set once, and the page supports readers beside a writer. Writers take the lock.
    /// The environment variable with the path of the page that a process must use.
    package static let variable = "SCREENTIME_CLOCK"

    package let path: String
    private let clock: OpaquePointer
    private let writing = Mutex(())

    /// Creates a page at a path that has no file yet.
    package init(creating path: String, _ first: ClockState) throws(Problem) {
        self.path = path
        var values = try first.values()
        var clock: OpaquePointer?
        let result = st_clock_create(path, &values, &clock)
        guard result >= 0, let clock else { throw FileProblem.make(.create, path: path, number: -result) }
        self.clock = clock
    }

    /// Maps a page that another process has created.
    package init(opening path: String, isWriter: Bool = false) throws(Problem) {
        self.path = path
        var clock: OpaquePointer?
        let result = st_clock_open(path, isWriter ? 1 : 0, &clock)
        guard result >= 0, let clock else { throw Self.problem(path, -result) }
        self.clock = clock
    }

    deinit { st_clock_close(clock) }

    /// The current values of the clocks. Reading never waits for a writer.
    package var state: ClockState {
        var values = st_clock_values()
        st_clock_read(clock, &values)
        return ClockState(values)
    }

    /// The number of times that the page was written.
    package var generation: UInt64 { st_clock_generation(clock) }

    package func write(_ face: ClockState) throws(Problem) {
        var values = try face.values()
        let result = writing.withLock { _ in st_clock_write(clock, &values) }
        guard result >= 0 else { throw SystemError.make("Moving the clock of \(path)", number: -result) }
    }

    private static func problem(_ path: String, _ number: Int32) -> Problem {
        if number == EPROTO {
            return Problem(
                "clock.not_a_clock",
                """
                \(path, "path") is not a clock file. Set \(variable, "variable") to the path of a clock \
                file.
                """
            )
        }
        let problem = FileProblem.make(.read, path: path, number: number)
        return Problem(
            "clock.unreadable",
            """
            \(variable, "variable") is set to \(path, "path"), which cannot be used: \
            \(problem.text, "message"). Unset the variable to use this computer's clock.
            """,
            details: problem.details
        )
    }
}
