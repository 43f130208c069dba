/// A look into JSON whose shape is somebody else's and large: only what is asked for is copied out of the text.
package struct JSONLook {
    private let tree: JSONTree
    private let index: Int

    /// Throws when the bytes are no JSON, or nested deeper than the limit.
    package init(_ bytes: [UInt8], depthLimit: Int) throws {
        tree = try JSONTree(bytes, depthLimit: depthLimit)
        index = 0
    }

    private init(_ tree: JSONTree, _ index: Int) {
        self.tree = tree
        self.index = index
    }

    /// A member of an object; nil where there is none.
    package subscript(_ key: String) -> JSONLook? {
        guard tree.nodes[index].kind == .object else { return nil }
        return tree.member(of: index, key).map { JSONLook(tree, $0) }
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

    /// The elements of an array; none for anything else.
    package var elements: [JSONLook] {
        guard tree.nodes[index].kind == .array else { return [] }
        var result: [JSONLook] = []
        var child = index + 1
        while child < tree.next(index) {
            result.append(JSONLook(tree, child))
            child = tree.next(child)
        }
        return result
    }
}
