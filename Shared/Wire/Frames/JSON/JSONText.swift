/// Checks of text that came from outside.
package enum JSONText {
    /// Throws unless the bytes are exactly one JSON object, nested no deeper than the limit.
    package static func requireObject(_ bytes: [UInt8], depthLimit: Int = BusLimits.depth) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: depthLimit)
            cursor.skipSpace()
            guard !cursor.isAtEnd, buffer[cursor.index] == UInt8(ascii: "{") else {
                // Told apart from broken text, because the cure is another one.
                try cursor.skipValue()
                throw JSONFault.notAnObject
            }
            try cursor.skipValue()
            cursor.skipSpace()
            guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
        }
    }

    /// Reads a top-level object member by member.
    package static func object(
        _ bytes: [UInt8],
        _ member: (Range<Int>, inout JSONCursor) throws -> Void
    ) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: BusLimits.depth)
            try cursor.object(member)
            cursor.skipSpace()
            guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
        }
    }
}
