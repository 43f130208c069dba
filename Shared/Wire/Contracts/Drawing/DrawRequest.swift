/// Which of its two faces a desktop shows.
package enum DrawAppearance: String, WireEnum {
    case light
    case dark
    case unknown
}

/// What comes out of a drawing.
package enum DrawFormat: String, WireEnum {
    case png
    /// The bare pixels, row by row without gaps: 32 bits each, premultiplied, in the order of this machine.
    case argb32
    /// Outlines, letters too; of pages only.
    case svg
    case unknown
}

/// What `screentime-draw` reads: a shield and the window that it is for.
package struct DrawRequest: WireBody, Codable, Equatable {
    package var look: ShieldLook
    /// What people call the app or site, for the words that the look leaves to the system.
    package var name: String?
    /// In pixels.
    package var width: Int
    package var height: Int
    /// Pixels of the desktop's unit of length; nil is 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// Such as `ko` or `en_US`.
    package var language: String?
    /// The absolute path of a picture of what lies behind, for looks that let it shine through.
    package var backdrop: String?
    /// The button that the keyboard would press.
    package var focus: ShieldButton?
    /// Whether the menu of the secondary button is open.
    package var isMenuOpen: Bool?
    /// What is offered below the buttons of the look.
    package var more: DrawMore?
    package var format: DrawFormat?
    /// An absolute path, or `-` for standard output; the answer then goes to standard error.
    package var output: String

    package init(
        look: ShieldLook,
        name: String? = nil,
        width: Int,
        height: Int,
        scale: Double? = nil,
        appearance: DrawAppearance = .light,
        language: String? = nil,
        backdrop: String? = nil,
        focus: ShieldButton? = nil,
        isMenuOpen: Bool? = nil,
        more: DrawMore? = nil,
        format: DrawFormat? = nil,
        output: String
    ) {
        self.look = look
        self.name = name
        self.width = width
        self.height = height
        self.scale = scale
        self.appearance = appearance
        self.language = language
        self.backdrop = backdrop
        self.focus = focus
        self.isMenuOpen = isMenuOpen
        self.more = more
        self.format = format
        self.output = output
    }
}
