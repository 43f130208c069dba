/// What `Contents.json` of a colour in an asset catalogue says.
struct ColorSetContents: Decodable {
    private struct Entry: Decodable {
        var appearances: [Appearance]?
        var color: Value?
        var idiom: String?
    }

    private struct Value: Decodable {
        var components: [String: String]?
        var colorSpace: String?
        var reference: String?

        private enum CodingKeys: String, CodingKey {
            case components, reference
            case colorSpace = "color-space"
        }
    }

    private var colors: [Entry]

    /// Nil when it has none.
    func resolved() -> (light: ColorComponents, dark: ColorComponents)? {
        let plain = colors.filter { $0.appearances.isPlain && $0.color != nil }
        // What is for all devices is meant for this one, too.
        let entries = plain.filter { $0.idiom == nil || $0.idiom == "universal" }
        let all = entries.isEmpty ? plain : entries
        let light = all.first { !$0.appearances.isDark } ?? all.first
        guard let light = light?.color.flatMap({ Self.components($0, isDark: false) }) else { return nil }
        if let dark = all.first(where: { $0.appearances.isDark })?.color {
            return (light, Self.components(dark, isDark: true) ?? light)
        }
        let only = all.first?.color.flatMap { Self.components($0, isDark: true) }
        return (light, only ?? light)
    }

    private static func components(_ value: Value, isDark: Bool) -> ColorComponents? {
        if let reference = value.reference {
            let traits = UITraitCollection(userInterfaceStyle: isDark ? .dark : .light)
            return ReferencedColors.named(reference)?.components(traits)
        }
        guard let parts = value.components else { return nil }
        let alpha = parts["alpha"].flatMap(part) ?? 1
        if let white = parts["white"].flatMap(part) { return ColorComponents(white, white, white, alpha) }
        guard let red = parts["red"].flatMap(part), let green = parts["green"].flatMap(part),
            let blue = parts["blue"].flatMap(part)
        else { return nil }
        return value.colorSpace == "display-p3"
            ? ColorComponents(displayP3: red, green, blue, alpha) : ColorComponents(red, green, blue, alpha)
    }

    /// `0xFF` and `255` are of 255; with a point it is from 0 to 1.
    private static func part(_ text: String) -> Double? {
        if text.lowercased().hasPrefix("0x") {
            return Int(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
        }
        guard let number = Double(text) else { return nil }
        return text.contains(".") ? number : number / 255
    }
}
