import STPlatform

/// W3C Trace Context: which story a message belongs to, and which step of it led here.
package struct TraceContext: Sendable, Equatable {
    package var traceID: String
    package var spanID: String

    package init(traceID: String, spanID: String) {
        self.traceID = traceID
        self.spanID = spanID
    }

    /// Nil for anything but a valid version 00 header; a bad one starts a new trace rather than refusing the message.
    package init?(traceparent: String?) {
        guard let traceparent, traceparent.utf8.count == 55 else { return nil }
        let bytes = Array(traceparent.utf8)
        guard bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D, bytes[0] == 0x30, bytes[1] == 0x30
        else {
            return nil
        }
        let trace = bytes[3..<35]
        let span = bytes[36..<52]
        guard trace.allSatisfy(Self.isHex), span.allSatisfy(Self.isHex),
            trace.contains(where: { $0 != 0x30 }),
            span.contains(where: { $0 != 0x30 })
        else { return nil }
        traceID = String(decoding: trace, as: UTF8.self)
        spanID = String(decoding: span, as: UTF8.self)
    }

    /// Stands where nobody will ever ask.
    package static let untold = TraceContext(traceID: "", spanID: "")

    package static func fresh() -> TraceContext {
        TraceContext(traceID: TraceIdentifiers.trace(), spanID: TraceIdentifiers.span())
    }

    /// The next step of the same story.
    package func next() -> TraceContext {
        TraceContext(traceID: traceID, spanID: TraceIdentifiers.span())
    }

    package var traceparent: String {
        var text = "00-"
        text.reserveCapacity(55)
        text += traceID
        text += "-"
        text += spanID
        text += "-01"
        return text
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
    }
}
