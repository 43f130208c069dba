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
        title = warnings.cleaned(look.title?.text, "title", limit: DrawLimits.titleLength, isOneLine: false)
        subtitle = warnings.cleaned(
            look.subtitle?.text,
            "subtitle",
            limit: DrawLimits.subtitleLength,
            isOneLine: false
        )
        let label = { (text: String?, what: String) in
            warnings.cleaned(text, what, limit: DrawLimits.buttonLength)
        }
        let orNil = { (text: String) in text.isEmpty ? nil : text }
        primary = label(look.primary?.text, "primary button")
        secondary = orNil(label(look.secondary?.text, "secondary button"))
        more = orNil(label(scene.more?.label, "offer"))
        note = orNil(label(scene.more?.note, "note"))
        menu = look.submenu.prefix(DrawLimits.submenuEntries).map { label($0, "menu") }
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
}
