/// Parsed JSON as one flat list of nodes over the original bytes: nothing is copied until somebody asks for it.
///
/// A class only so that the containers of one decoding share it without copying.
final class JSONTree {
    struct Node {
        var kind: JSONCursor.Kind
        /// Of a string: what stands between the quotes.
        var start: Int32
        var end: Int32
        /// The node after this one and everything in it.
        var next: Int32
    }

    let bytes: [UInt8]
    let nodes: ContiguousArray<Node>

    init(_ bytes: [UInt8], depthLimit: Int = BusLimits.depth) throws {
        self.bytes = bytes
        // Built as a local value: every touch of a class's own property is checked for exclusivity at run time.
        var nodes: ContiguousArray<Node> = []
        nodes.reserveCapacity(32)
        try bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: depthLimit)
            try Self.add(&cursor, &nodes)
            cursor.skipSpace()
            guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
        }
        self.nodes = nodes
    }

    private static func add(_ cursor: inout JSONCursor, _ nodes: inout ContiguousArray<Node>) throws {
        let kind = try cursor.kind()
        let index = nodes.count
        let start = Int32(clamping: cursor.index)
        nodes.append(Node(kind: kind, start: start, end: start, next: 0))
        switch kind {
        case .object:
            try cursor.object { key, cursor in
                nodes.append(string(key, next: nodes.count + 1))
                try add(&cursor, &nodes)
            }
        case .array: try cursor.array { try add(&$0, &nodes) }
        case .string:
            let range = try cursor.skipValue()
            nodes[index] = string((range.lowerBound + 1)..<(range.upperBound - 1), next: 0)
        case .bool, .null, .number:
            nodes[index].end = Int32(clamping: try cursor.skipValue().upperBound)
        }
        nodes[index].next = Int32(clamping: nodes.count)
    }

    private static func string(_ range: Range<Int>, next: Int) -> Node {
        Node(
            kind: .string,
            start: Int32(clamping: range.lowerBound),
            end: Int32(clamping: range.upperBound),
            next: Int32(clamping: next)
        )
    }

    func range(_ index: Int) -> Range<Int> { Int(nodes[index].start)..<Int(nodes[index].end) }

    func next(_ index: Int) -> Int { Int(nodes[index].next) }

    func text(_ index: Int) throws -> String {
        try bytes.withUnsafeBufferPointer { try JSONStringText.decode($0, range(index)) }
    }

    /// Whether the string at the node is this key.
    func isKey(_ index: Int, _ key: String) -> Bool {
        let range = range(index)
        let utf8 = key.utf8
        guard range.count == utf8.count else {
            // Written with escapes it may be longer and still the same.
            return bytes[range].contains(UInt8(ascii: "\\")) && (try? text(index)) == key
        }
        var position = range.lowerBound
        for byte in utf8 {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }

    /// The value of a member, or nil where there is none; the last one wins where a key stands twice.
    func member(of object: Int, _ key: String) -> Int? {
        var index = object + 1
        let end = next(object)
        var found: Int?
        while index < end {
            let value = index + 1
            if isKey(index, key) { found = value }
            index = next(value)
        }
        return found
    }

    /// The number's text as a whole number.
    func integer(_ index: Int) -> Int64? {
        let range = range(index)
        guard nodes[index].kind == .number, range.count <= 20 else { return nil }
        return bytes.withUnsafeBufferPointer { JSONCursor.number($0, range) }
    }

    func double(_ index: Int) -> Double? {
        guard nodes[index].kind == .number else { return nil }
        return Double(String(decoding: bytes[range(index)], as: UTF8.self))
    }

    func value(_ index: Int) throws -> JSONValue {
        switch nodes[index].kind {
        case .null: return .null
        case .bool: return .bool(bytes[Int(nodes[index].start)] == UInt8(ascii: "t"))
        case .string: return .string(try text(index))
        case .number:
            if let whole = integer(index) { return .integer(whole) }
            return .number(double(index) ?? 0)
        case .array:
            var elements: [JSONValue] = []
            var child = index + 1
            while child < next(index) {
                elements.append(try value(child))
                child = next(child)
            }
            return .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            var child = index + 1
            while child < next(index) {
                members[try text(child)] = try value(child + 1)
                child = next(child + 1)
            }
            return .object(members)
        }
    }
}
