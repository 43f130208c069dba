package import STContracts

/// What is changed about letters.
package enum FontChange: Hashable, Sendable {
    case weight(Font.Weight)
    case italic(Bool)
    case design(Font.Design)

    package func apply(to font: inout PageFont) {
        switch self {
        case .weight(let weight): font.weight = weight == .regular ? nil : weight.value
        case .italic(let isItalic): font.italic = isItalic ? true : nil
        case .design(let design):
            font.design =
                switch design {
                case .default: nil
                case .serif: "serif"
                case .rounded: "rounded"
                case .monospaced: "monospaced"
                }
        }
    }

    /// What the name of letters says about them.
    static func named(_ name: String) -> FontChange? {
        let name = name.lowercased()
        if name.contains("bold") || name.contains("heavy") || name.contains("black") { return .weight(.bold) }
        if name.contains("medium") { return .weight(.medium) }
        if name.contains("light") || name.contains("thin") { return .weight(.light) }
        return name.contains("mono") || name.contains("courier") ? .design(.monospaced) : nil
    }
}
