/// One stretch of a schedule, without its last moment.
package struct Interval: Codable, Sendable, Hashable {
    package var startMs: Int64
    package var endMs: Int64
    /// The zone that it was cut in.
    package var zone: String

    package init(startMs: Int64, endMs: Int64, zone: String) {
        self.startMs = startMs
        self.endMs = endMs
        self.zone = zone
    }

    package var durationMs: Int64 { endMs - startMs }

    package func contains(_ wallMs: Int64) -> Bool { startMs <= wallMs && wallMs < endMs }

    /// When the warning that it will start is due.
    package func willStartMs(warningMs: Int64) -> Int64 { startMs - warningMs }

    /// When the warning that it will end is due: not before it has started.
    package func willEndMs(warningMs: Int64) -> Int64 { max(startMs, endMs - warningMs) }
}
