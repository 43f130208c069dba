import STContracts

/// The look of a shield whose app has none of its own, or not in time.
enum BuiltInLook {
    private static let text = ShieldColor(light: "#1C1C1EFF", dark: "#F2F2F7FF")
    private static let faint = ShieldColor(light: "#3C3C4399", dark: "#EBEBF599")
    private static let accent = ShieldColor(light: "#0A66C2FF", dark: "#3D8BFDFF")
    private static let onAccent = ShieldColor(light: "#FFFFFFFF", dark: "#FFFFFFFF")

    static func make(
        _ name: String,
        by author: ShieldWords.Author,
        until: String? = nil,
        asked: MoreTime? = nil,
        _ words: ShieldWords
    ) -> ShieldLook {
        ShieldLook(
            blur: "systemThickMaterial",
            icon: ShieldIcon(kind: .system, name: "hourglass", tint: accent),
            title: ShieldText(text: words.title(name), color: text),
            subtitle: ShieldText(
                text: words.subtitle(name, by: author, until: until) + (asked.map(words.asked) ?? ""),
                color: faint
            ),
            primary: ShieldText(text: words.close, color: onAccent),
            primaryBackground: accent,
            // Asking twice for the same is asking once.
            secondary: asked == nil ? ShieldText(text: words.askForMore, color: accent) : nil,
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
