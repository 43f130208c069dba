/// Where things stand in JSON text, to tell a person who wrote it by hand.
package enum JSONPlaces {
    /// The value of a whole text.
    ///
    /// Throws `JSONFault` when it is none.
    package static func value(_ bytes: [UInt8]) throws -> JSONValue { try JSONTree(bytes).value(0) }

    /// The line of what a JSON pointer names, counted from 1; of what it stands in, when that is not there.
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
