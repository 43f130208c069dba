import STContracts

/// The colours of a document: each pair of faces is one custom property.
struct HTMLColors {
    private(set) var pairs: [PageColor] = []
    private var places: [String: Int] = [:]

    mutating func use(_ color: PageColor) -> String {
        let key = color.light + color.dark
        if let place = places[key] { return "var(--c\(place))" }
        places[key] = pairs.count
        pairs.append(
            PageColor(
                light: PageInk(color.light)?.hex ?? "#000000FF",
                dark: PageInk(color.dark)?.hex ?? "#FFFFFFFF"
            )
        )
        return "var(--c\(pairs.count - 1))"
    }

    func sheet(_ theme: HTMLTheme) -> String {
        let light = pairs.enumerated().map { "--c\($0):\($1.light)" }.joined(separator: ";")
        let dark = pairs.enumerated().map { "--c\($0):\($1.dark)" }.joined(separator: ";")
        switch theme {
        case .light: return ":root{\(HTMLSheet.light)\(light)}"
        case .dark: return ":root{\(HTMLSheet.dark)\(dark)}"
        case .automatic:
            // Paper is white.
            return ":root{\(HTMLSheet.light)\(light)}"
                + "@media screen and (prefers-color-scheme:dark){:root{\(HTMLSheet.dark)\(dark)}}"
        }
    }
}
