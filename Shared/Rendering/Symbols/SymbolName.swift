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
