import STContracts

/// The words of a shield, made fit to be drawn.
struct ShieldContent {
    var title: String
    var subtitle: String
    var primary: String
    var secondary: String?
    var menu: [String]
    /// What is offered below the buttons, and a line about it.
    var more: String?
    var note: String?
    var language: String?

    init(_ scene: ShieldScene, _ warnings: Warnings) {
        let look = SystemLook.filled(scene.look, name: scene.name, language: scene.language)
        language = scene.language
        title = Self.text(look.title, "title", DrawLimits.titleLength, warnings)
        subtitle = Self.text(look.subtitle, "subtitle", DrawLimits.subtitleLength, warnings)
        primary = Self.text(look.primary, "primary button", DrawLimits.buttonLength, warnings)
        let label = Self.text(look.secondary, "secondary button", DrawLimits.buttonLength, warnings)
        secondary = label.isEmpty ? nil : label
        more = Self.line(scene.more?.label, "offer", warnings)
        note = Self.line(scene.more?.note, "note", warnings)
        menu = look.submenu.prefix(DrawLimits.submenuEntries).map {
            Self.text(
                ShieldText(text: $0, color: .init(light: "", dark: "")),
                "menu",
                DrawLimits.buttonLength,
                warnings
            )
        }
        if look.submenu.count > DrawLimits.submenuEntries {
            warnings.add(
                "The menu has \(look.submenu.count) entries; the first "
                    + "\(DrawLimits.submenuEntries) are shown."
            )
        }
        if secondary == nil, !menu.isEmpty {
            warnings.add("There is a menu, but no secondary button to open it.")
            menu = []
        }
    }

    private static func line(_ text: String?, _ what: String, _ warnings: Warnings) -> String? {
        let text = text.map { ShieldText(text: $0, color: .init(light: "", dark: "")) }
        let line = self.text(text, what, DrawLimits.buttonLength, warnings)
        return line.isEmpty ? nil : line
    }

    private static func text(_ text: ShieldText?, _ what: String, _ limit: Int, _ warnings: Warnings)
        -> String
    {
        guard let text else { return "" }
        let isOneLine = what != "title" && what != "subtitle"
        let (cleaned, isCut) = TextCleaning.cleaned(text.text, limit: limit, isOneLine: isOneLine)
        if isCut { warnings.add("The \(what) is longer than \(limit) characters; its end is not shown.") }
        return cleaned
    }
}
