/// A drawing by name, in a field of 24 by 24.
///
/// Its paths have few letters: `M x y`, `L x y`, `C` with three points, `Z`,
/// `O x y r` a circle, `R x y w h r` a rounded rectangle.
package struct Symbol: Sendable {
    /// Closed shapes: their edge, or all of them when the name ends in `.fill`.
    package var outline: [String] = []
    /// Lines on top; in a filled symbol they are cut out of it.
    package var detail: [String] = []
    /// Areas that are always filled, and cut out of a filled outline.
    package var solid: [String] = []
    /// Whether the lines lie beside the shapes rather than on them, as the bow of a lock does.
    package var isBeside = false
}

/// What a name such as `lock.circle.fill` asks for.
package struct SymbolName: Equatable, Sendable {
    package var base: String
    package var isFilled = false
    package var isCircled = false
    package var isSlashed = false

    /// Nil when no symbol of ours has such a name.
    ///
    /// What is more precise than ours gets the nearest one: `moon.zzz` a moon.
    package init?(_ name: String) {
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
