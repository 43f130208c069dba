import STContracts

/// Our own colours of a page, each with both faces: the same as the HTML of a page has.
enum PageInks {
    static let text = SystemLook.label
    static let secondary = PageColor(light: "#55555DFF", dark: "#B9B9C2FF")
    static let ground = PageColor(light: "#FFFFFFFF", dark: "#151518FF")
    static let card = PageColor(light: "#F4F4F6FF", dark: "#222227FF")
    static let line = PageColor(light: "#DADAE0FF", dark: "#3A3A42FF")
    static let track = PageColor(light: "#E6E6EBFF", dark: "#303037FF")
    /// Of what is switched.
    static let segments = PageColor(light: "#E9E9EEFF", dark: "#2A2A30FF")
    static let thumb = PageColor(light: "#FFFFFFFF", dark: "#55555FFF")
    static let accent = PageColor(light: "#0A62DBFF", dark: "#5AA2FFFF")

    static func ink(_ color: PageColor, _ face: DrawAppearance) -> Ink { color.ink(face) ?? .black }
}
