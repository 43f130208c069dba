/// A place in a stream: a publisher's head, or where a subscriber stands.
package struct StreamPoint: WireBody, Codable, Equatable, Hashable {
    package var stream: String
    package var epoch: String
    package var sequence: Int64
    /// Of the event at `sequence`; nil only before the first event.
    package var id: String?

    package init(stream: String, epoch: String, sequence: Int64, id: String?) {
        self.stream = stream
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }

    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: 128)
        writer.field("stream", stream)
        writer.field("epoch", epoch)
        writer.field("sequence", sequence)
        writer.field("id", id)
        return writer.finish()
    }

    package static func read(_ bytes: [UInt8]) -> StreamPoint? {
        try? bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: BusLimits.depth)
            return try read(&cursor)
        }
    }

    static func read(_ cursor: inout JSONCursor) throws -> StreamPoint? {
        var stream: String?
        var epoch: String?
        var sequence: Int64?
        var id: String?
        try cursor.object { key, cursor in
            if cursor.isKey(key, "stream") {
                stream = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "epoch") {
                epoch = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "sequence") {
                sequence = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "id") {
                id = try cursor.stringIfPresent()
            } else {
                try cursor.skipValue()
            }
        }
        guard let stream, let epoch, let sequence else { return nil }
        return StreamPoint(stream: stream, epoch: epoch, sequence: sequence, id: id)
    }
}
