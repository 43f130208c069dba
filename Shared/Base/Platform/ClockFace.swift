import STCVirtualClock

/// All that a virtual clock shows at one moment.
package struct ClockFace: Sendable, Hashable {
    package var reading: TimeReading
    /// The IANA name of the local zone.
    package var zone: String
    /// Changes with every start of the machine.
    package var bootID: String

    package init(reading: TimeReading, zone: String, bootID: String) {
        self.reading = reading
        self.zone = zone
        self.bootID = bootID
    }

    init(_ values: st_clock_values) {
        reading = TimeReading(
            wallMs: values.wall_ms,
            bootMs: values.boot_ms,
            monotonicMs: values.monotonic_ms
        )
        zone = withUnsafeBytes(of: values.zone) { Self.text($0) }
        bootID = withUnsafeBytes(of: values.boot_id) { Self.text($0) }
    }

    func values() throws(Problem) -> st_clock_values {
        var values = st_clock_values()
        values.wall_ms = reading.wallMs
        values.boot_ms = reading.bootMs
        values.monotonic_ms = reading.monotonicMs
        let room = Int(ST_CLOCK_TEXT_BYTES) - 1
        for text in [zone, bootID] where text.isEmpty || text.utf8.count > room || text.utf8.contains(0) {
            throw Problem(
                "clock.bad_name",
                "A zone and a boot id have 1 to \(room) bytes; “\(text)” does not."
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
