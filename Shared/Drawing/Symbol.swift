/// A drawing by name, in a field of 24 by 24, as paths that `PathPen` reads.
struct Symbol {
    /// Closed shapes: their edge, or all of them when the name ends in `.fill`.
    var outline: [String] = []
    /// Lines on top; in a filled symbol they are cut out of it.
    var detail: [String] = []
    /// Areas that are always filled, and cut out of a filled outline.
    var solid: [String] = []
    /// Whether the lines lie beside the shapes rather than on them, as the bow of a lock does.
    var isBeside = false
}

/// What a name such as `lock.circle.fill` asks for.
struct SymbolName: Equatable {
    var base: String
    var isFilled = false
    var isCircled = false
    var isSlashed = false

    /// Nil when no symbol of ours has such a name.
    ///
    /// What is more precise than ours gets the nearest one: `moon.zzz` a moon.
    init?(_ name: String) {
        var parts = name.lowercased().split(separator: ".").prefix(8).map(String.init)
        var seen: Set<String> = []
        while let last = parts.last, parts.count > 1,
            ["fill", "filled", "circle", "square", "slash"].contains(last)
        {
            seen.insert(last)
            parts.removeLast()
        }
        while !parts.isEmpty {
            let candidate = parts.joined(separator: ".")
            if SymbolTable.all[candidate] != nil {
                base = candidate
                isFilled = seen.contains("fill") || seen.contains("filled")
                isCircled = seen.contains("circle") || seen.contains("square")
                isSlashed = seen.contains("slash")
                return
            }
            parts.removeLast()
        }
        return nil
    }
}
