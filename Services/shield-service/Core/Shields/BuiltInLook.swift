import STContracts

/// The look of a shield whose app has none of its own, or not in time.
enum BuiltInLook {
    /// Borderless, so it stands on the background itself.
    private static let link = ShieldColor(light: "#0A62DBFF", dark: "#6CA8FFFF")

    static func make(
        _ name: String,
        by author: ShieldWords.Author,
        says: String? = nil,
        opens: String? = nil,
        asked: MoreTime? = nil,
        _ words: ShieldWords
    ) -> ShieldLook {
        // A person's own words stand by themselves, and first.
        let subtitle =
            (says.map { $0 + "\n" } ?? "") + words.subtitle(by: author, opens: opens)
            + (asked.map(words.asked) ?? "")
        return ShieldLook(
            blur: "systemThickMaterial",
            icon: ShieldIcon(kind: .system, name: "hourglass"),
            title: ShieldText(text: words.title(name), color: SystemLook.label),
            subtitle: ShieldText(text: subtitle, color: SystemLook.secondaryLabel),
            primary: ShieldText(text: words.close, color: SystemLook.onButton),
            primaryBackground: SystemLook.button,
            // Asking twice for the same is asking once.
            secondary: asked == nil ? ShieldText(text: words.askForMore, color: link) : nil,
            submenu: []
        )
    }

    /// What an app left to the system; a second button only where the app wants one.
    static func complete(_ look: ShieldLook, with own: ShieldLook) -> ShieldLook {
        var look = look
        if look.title == nil, look.subtitle == nil { look.subtitle = own.subtitle }
        look.title = look.title ?? own.title
        if look.primary == nil {
            look.primary = own.primary
            look.primaryBackground = look.primaryBackground ?? own.primaryBackground
        }
        look.icon = look.icon ?? own.icon
        return look
    }
}
