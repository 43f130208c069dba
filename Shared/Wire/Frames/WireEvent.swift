/// An event as it travels: its header, and its body as bytes that nobody on the way parses.
package struct WireEvent: Sendable, Equatable {
    package var header: EventHeader
    package var body: [UInt8]

    package init(header: EventHeader, body: [UInt8]) {
        self.header = header
        self.body = body
    }

    package var frames: [[UInt8]] { [Array(header.type.utf8), header.encoded(), body] }

    /// Nil when the frames are not an event.
    package init?(frames: [[UInt8]], like last: EventHeader? = nil) {
        guard frames.count == 3, let header = EventHeader.read(frames[1], like: last) else { return nil }
        self.init(header: header, body: frames[2])
    }

    package func decoded<E: EventType>(_ event: E.Type) throws -> E.Body { try E.Body.decodedBody(body) }
}
