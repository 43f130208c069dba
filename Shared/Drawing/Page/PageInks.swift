import STContracts

/// Our own colours of a page, each with both faces.
enum PageInks {
    static let text = SystemLook.label
    static let secondary = SystemLook.secondaryLabel
    static let ground = PageColor(light: "#FFFFFFFF", dark: "#1C1C1EFF")
    static let card = PageColor(light: "#F2F2F7FF", dark: "#2C2C2EFF")
    static let line = PageColor(light: "#3C3C4333", dark: "#EBEBF533")
    static let track = PageColor(light: "#7676801F", dark: "#7676803D")
    static let thumb = PageColor(light: "#FFFFFFFF", dark: "#636366FF")
    static let accent = PageColor(light: "#0A62DBFF", dark: "#5AA2FFFF")

    static func ink(_ color: PageColor, _ face: DrawAppearance) -> Ink { color.ink(face) ?? .black }
}
