import STPlatform

/// What the two processes of `--stay` say to each other: a length, a mark, and the bytes.
struct Frame {
    enum Mark: UInt8 {
        case plain
        /// Whoever says this ends, and has said why.
        case last
    }

    var mark: Mark
    var bytes: [UInt8]

    private static let headBytes = 5

    static func write(_ bytes: [UInt8], _ mark: Mark, to descriptor: Int32) -> Bool {
        let count = UInt32(clamping: bytes.count)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + [mark.rawValue]
        return Output.write(head, descriptor) && Output.write(bytes, descriptor)
    }

    /// Nil when none comes in time, or the other side has gone.
    static func read(_ descriptor: Int32, limitBytes: Int, by deadlineMs: Int64) -> Frame? {
        guard let head = Descriptor.read(descriptor, count: headBytes, by: deadlineMs) else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(head[$1]) << (8 * $1) }
        guard count <= limitBytes, let mark = Mark(rawValue: head[4]),
            let bytes = Descriptor.read(descriptor, count: count, by: deadlineMs)
        else { return nil }
        return Frame(mark: mark, bytes: bytes)
    }
}
