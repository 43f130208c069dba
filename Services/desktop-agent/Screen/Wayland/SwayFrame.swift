/// A message of sway's IPC: a magic word, a length, a type, and JSON.
struct SwayFrame {
    static let magic = Array("i3-ipc".utf8)
    static let headerBytes = 14
    /// A tree of a thousand windows is two of them.
    static let payloadBytesMax = 8 << 20

    enum Kind: UInt32 {
        case command = 0
        case subscribe = 2
        case tree = 4
    }

    /// Events have the highest bit set.
    static let eventBit: UInt32 = 1 << 31

    var type: UInt32
    var payload: [UInt8]

    static func bytes(_ kind: Kind, _ payload: String) -> [UInt8] {
        var bytes = magic
        for word in [UInt32(payload.utf8.count), kind.rawValue] {
            withUnsafeBytes(of: word) { bytes += $0 }
        }
        return bytes + Array(payload.utf8)
    }

    /// Cuts the first whole message off; nil while it is not whole.
    ///
    /// Throws when the other side does not speak this protocol, or says too much.
    static func take(_ buffer: inout [UInt8]) throws(SwayFault) -> SwayFrame? {
        guard buffer.count >= headerBytes else { return nil }
        guard buffer.starts(with: magic) else { throw SwayFault() }
        let (length, type) = buffer.withUnsafeBytes {
            (
                Int($0.loadUnaligned(fromByteOffset: 6, as: UInt32.self)),
                $0.loadUnaligned(fromByteOffset: 10, as: UInt32.self)
            )
        }
        guard length <= payloadBytesMax else { throw SwayFault() }
        guard buffer.count >= headerBytes + length else { return nil }
        let frame = SwayFrame(type: type, payload: Array(buffer[headerBytes..<(headerBytes + length)]))
        buffer.removeFirst(headerBytes + length)
        return frame
    }
}

/// The other side is not sway, or not one that we understand.
struct SwayFault: Error {}
