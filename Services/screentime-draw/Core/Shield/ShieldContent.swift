import STContracts
import STPlatform

/// The texts of a shield with unsafe characters removed and within their limits.
struct ShieldContent {
    var title: String
    var subtitle: String
    var primary: String
    var secondary: String?
    var menu: [String]
    /// The label of the control below the buttons. `note` is the line below it.
    var more: String?
    var note: String?
    var language: String?

    init(_ scene: ShieldDrawingRequest, _ warnings: Warnings) {
        let look = SystemAppearance.filled(scene.look, name: scene.name, language: scene.language)
        language = scene.language
        title = warnings.cleaned(
            look.title?.text,
            PartName.title,
            limit: DrawLimits.titleLength,
            isOneLine: false
        )
        subtitle = warnings.cleaned(
            look.subtitle?.text,
            PartName.subtitle,
            limit: DrawLimits.subtitleLength,
            isOneLine: false
        )
        let label = { (text: String?, part: Message) in
            warnings.cleaned(text, part, limit: DrawLimits.buttonLength)
        }
        let orNil = { (text: String) in text.isEmpty ? nil : text }
        primary = label(look.primary?.text, PartName.primaryButton)
        secondary = orNil(label(look.secondary?.text, PartName.secondaryButton))
        more = orNil(label(scene.more?.label, PartName.more))
        note = orNil(label(scene.more?.note, PartName.note))
        menu = look.submenu.prefix(DrawLimits.submenuEntries).map { label($0, PartName.menuEntry) }
        if look.submenu.count > DrawLimits.submenuEntries {
            warnings.add(
                Message(
                    "draw.too-many-menu-entries",
                    """
                    The menu has \(look.submenu.count, "count") entries. Only the first \
                    \(DrawLimits.submenuEntries, "most") are shown.
                    """
                )
            )
        }
        if secondary == nil, !menu.isEmpty {
            warnings.add(
                Message(
                    "draw.menu-without-button",
                    "The menu is not shown, because the shield has no secondary button to open it."
                )
            )
            menu = []
        }
    }
}
