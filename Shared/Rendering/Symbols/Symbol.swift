/// A named drawing in a field of 24 by 24.
///
/// The commands of its paths are `M x y`, `L x y`, `C` with three points, `Z`, `O x y r` for a circle, `R x y w h r` for a
/// rounded rectangle.
package struct Symbol: Sendable {
    /// Closed shapes. Their edge is drawn, and the whole shape is filled if the name ends in `.fill`.
    package var outline: [String] = []
    /// Lines on top. In a filled symbol they are cut out.
    package var detail: [String] = []
    /// Areas that are always filled.
    package var solid: [String] = []
    /// True if the lines are beside the shapes instead of on them, for example the shackle of a lock.
    package var isBeside = false
}

/// A parsed symbol name, for example `lock.circle.fill`.
package struct SymbolName: Equatable, Sendable {
    package var base: String
    package var isFilled = false
    package var isCircled = false
    package var isSlashed = false

    /// Returns nil if there is no symbol for the name.
    ///
    /// A more specific name gets the nearest symbol. For example, `moon.zzz` gets the moon.
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
