/// Parsed JSON as one flat list of nodes over the original bytes. Values are copied only when they are read.
///
/// A class, so that the containers of one decoding share it without copying.
final class JSONTree {
    struct Node {
        var kind: JSONCursor.Kind
        /// For a string, the range between the quotes.
        var start: Int32
        var end: Int32
        /// The index of the node after this one and its children.
        var next: Int32
    }

    let bytes: [UInt8]
    let nodes: ContiguousArray<Node>
    /// True if the decoder uses Swift names as keys.
    let keepsNames: Bool
    /// True if the text contains escapes. Only then are keys compared after decoding them.
    private let hasEscapes: Bool
    /// True if a key has a capital letter, as some keys of version 0.5 have.
    let hasCapitals: Bool

    init(_ bytes: [UInt8], depthLimit: Int = BusLimits.depth, keepsNames: Bool = false) throws {
        self.bytes = bytes
        self.keepsNames = keepsNames
        // Built as a local value, because Swift checks each access to a class property for exclusivity at run time.
        var nodes: ContiguousArray<Node> = []
        nodes.reserveCapacity(32)
        var hasCapitals = false
        hasEscapes = try bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(buffer, depthLimit: depthLimit)
            try Self.add(&cursor, nodes: &nodes) { key in
                if !hasCapitals {
                    hasCapitals = WireName.hasCapitals(UnsafeBufferPointer(rebasing: buffer[key]))
                }
            }
            cursor.skipSpace()
            guard cursor.isAtEnd else { throw JSONFault.malformed(at: cursor.index) }
            return buffer.contains(UInt8(ascii: "\\"))
        }
        self.hasCapitals = hasCapitals
        self.nodes = nodes
    }

    private static func add(
        _ cursor: inout JSONCursor,
        nodes: inout ContiguousArray<Node>,
        see: (Range<Int>) -> Void
    ) throws {
        let kind = try cursor.kind()
        let index = nodes.count
        let start = Int32(clamping: cursor.index)
        nodes.append(Node(kind: kind, start: start, end: start, next: 0))
        switch kind {
        case .object:
            try cursor.object { key, cursor in
                see(key)
                nodes.append(string(key, next: nodes.count + 1))
                try add(&cursor, nodes: &nodes, see: see)
            }
        case .array: try cursor.array { try add(&$0, nodes: &nodes, see: see) }
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

    /// The index of a member's value, or `nil` if there is none. If a key occurs twice, the last one counts.
    func member(of object: Int, _ key: String) -> Int? {
        var key = key
        return key.withUTF8 { member(of: object, $0) }
    }

    func member(of object: Int, _ key: UnsafeBufferPointer<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            nodes.withUnsafeBufferPointer { nodes in
                var index = object + 1
                let end = Int(nodes[object].next)
                var found: Int?
                while index < end {
                    let value = index + 1
                    let start = Int(nodes[index].start)
                    let own = UnsafeBufferPointer(rebasing: bytes[start..<Int(nodes[index].end)])
                    if own.count == key.count ? own.elementsEqual(key) : hasEscapes && isEscaped(index, key) {
                        found = value
                    }
                    index = Int(nodes[value].next)
                }
                return found
            }
        }
    }

    /// True if a key with escapes, which make it longer, equals `key`.
    private func isEscaped(_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        (try? text(index)) == String(decoding: key, as: UTF8.self)
    }

    /// The number as a whole number. `nil` if it is not one.
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

/// Reads parts of large JSON of unknown structure. Only the values that are read are copied.
package struct JSONElement {
    private let tree: JSONTree
    private let index: Int

    /// Throws if the bytes are not JSON, or are nested deeper than the limit.
    package init(_ bytes: [UInt8], depthLimit: Int) throws {
        tree = try JSONTree(bytes, depthLimit: depthLimit)
        index = 0
    }

    private init(_ tree: JSONTree, _ index: Int) {
        self.tree = tree
        self.index = index
    }

    /// A member of an object. `nil` if there is none.
    package subscript(_ key: String) -> JSONElement? {
        guard tree.nodes[index].kind == .object else { return nil }
        return tree.member(of: index, key).map { JSONElement(tree, $0) }
    }

    package var string: String? {
        tree.nodes[index].kind == .string ? try? tree.text(index) : nil
    }

    package var bool: Bool? {
        guard tree.nodes[index].kind == .bool else { return nil }
        return tree.bytes[tree.range(index).lowerBound] == UInt8(ascii: "t")
    }

    package var integer: Int64? { tree.integer(index) }

    package var double: Double? { tree.double(index) }

    /// The elements of an array. Empty for another value.
    package var elements: [JSONElement] {
        guard tree.nodes[index].kind == .array else { return [] }
        var result: [JSONElement] = []
        var child = index + 1
        while child < tree.next(index) {
            result.append(JSONElement(tree, child))
            child = tree.next(child)
        }
        return result
    }
}

/// Line numbers in JSON text, for messages to the person who wrote it.
package enum JSONLocations {
    /// Parses a whole text.
    ///
    /// Throws `JSONFault` if it is not JSON.
    package static func value(_ bytes: [UInt8]) throws -> JSONValue { try JSONTree(bytes).value(0) }

    /// The line of the value that a JSON pointer names, counted from 1. If the value does not exist, the line of its container.
    package static func line(of pointer: String, in bytes: [UInt8]) -> Int? {
        guard let tree = try? JSONTree(bytes) else { return nil }
        var index = 0
        for name in pointer.split(separator: "/") {
            guard let child = child(String(name), of: index, tree) else { break }
            index = child
        }
        return line(ofByte: Int(tree.nodes[index].start), in: bytes)
    }

    package static func line(ofByte position: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(max(0, position)).count { $0 == UInt8(ascii: "\n") }
    }

    private static func child(_ name: String, of index: Int, _ tree: JSONTree) -> Int? {
        switch tree.nodes[index].kind {
        case .object: return tree.member(of: index, name)
        case .array:
            guard let number = Int(name), number >= 0 else { return nil }
            var child = index + 1
            for _ in 0..<number where child < tree.next(index) { child = tree.next(child) }
            return child < tree.next(index) ? child : nil
        case .string, .bool, .null, .number: return nil
        }
    }
}
