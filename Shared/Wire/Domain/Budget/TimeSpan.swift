/// A stretch of time without its last moment.
package struct TimeSpan: Codable, Sendable, Hashable {
    package var startMs: Int64
    package var endMs: Int64

    package init(_ startMs: Int64, _ endMs: Int64) {
        self.startMs = startMs
        self.endMs = endMs
    }

    package var durationMs: Int64 { max(0, endMs - startMs) }
}
