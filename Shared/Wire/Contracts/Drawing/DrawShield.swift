package import STPlatform

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

/// Where a button lies in a picture, in pixels from its upper left corner.
package struct DrawnButton: WireBody, Codable, Equatable {
    package var button: ShieldButton
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(button: ShieldButton, x: Int, y: Int, width: Int, height: Int) {
        self.button = button
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// What `screentime-draw` answers once the picture is written.
package struct DrawAnswer: WireBody, Codable, Equatable {
    package var width: Int
    package var height: Int
    package var bytes: Int
    package var buttons: [DrawnButton]
    /// What could not be drawn as requested.
    package var warnings: [Message]
    /// What else can be pressed: `DrawnSpot.moreTime` or `DrawnSpot.closeApp`.
    package var spots: [DrawnSpot]?

    package init(
        width: Int,
        height: Int,
        bytes: Int,
        buttons: [DrawnButton],
        warnings: [Message],
        spots: [DrawnSpot]? = nil
    ) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.buttons = buttons
        self.warnings = warnings
        self.spots = spots
    }
}

/// What a shield offers beyond its own buttons: quiet, and below them.
package struct DrawMore: WireBody, Codable, Equatable {
    /// The label of a control that can be pressed, such as "Ask for more time".
    package var label: String?
    /// What pressing it is called; nil is `DrawnSpot.moreTime`.
    package var spot: String?
    /// One line below, such as "Asked. You will hear of the answer."
    package var note: String?
    /// Whether the keyboard would press the control.
    package var isFocused: Bool?

    package init(label: String? = nil, spot: String? = nil, note: String? = nil, isFocused: Bool? = nil) {
        self.label = label
        self.spot = spot
        self.note = note
        self.isFocused = isFocused
    }
}

/// The field of a passcode as it is seen: never the passcode itself.
package struct DrawPasscode: WireBody, Codable, Equatable {
    /// Whose passcode is wanted, as a sentence.
    package var prompt: String
    /// Those who may prove it, where there is a choice.
    package var provers: [String]
    /// Which of them does.
    package var chosen: Int
    /// How many characters have been typed.
    package var dots: Int

    package init(prompt: String, provers: [String] = [], chosen: Int = 0, dots: Int = 0) {
        self.prompt = prompt
        self.provers = provers
        self.chosen = chosen
        self.dots = dots
    }
}

/// Where something that can be pressed lies in a picture, in pixels from its upper left corner.
package struct DrawnSpot: WireBody, Codable, Equatable {
    /// The control of `DrawRequest.more`.
    package static let moreTime = "more_time"
    package static let closeApp = "close_app"
    /// The buttons of a question.
    package static let allow = "allow"
    package static let deny = "deny"
    package static let passcode = "passcode"
    package static func prover(_ index: Int) -> String { "prover:\(index)" }

    package var id: String
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(id: String, x: Int, y: Int, width: Int, height: Int) {
        self.id = id
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// The named limits of drawing.
package enum DrawLimits {
    /// One side, in pixels; more than any screen has.
    package static let sideMax = 8192
    package static let sideMin = 16
    /// The whole picture: somewhat more than an 8K screen.
    package static let pixelsMax = 40_000_000
    package static let scaleMin = 0.5
    package static let scaleMax = 8.0
    package static let requestBytes = 8 << 20
    package static let iconBytes = 4 << 20
    package static let iconSideMax = 4096
    /// The picture of what lies behind.
    package static let backdropBytes = 64 << 20
    /// How much of a text is looked at, in Unicode scalars: more never fits.
    package static let titleLength = 300
    package static let subtitleLength = 2000
    package static let buttonLength = 120
    package static let submenuEntries = 4
    package static let warnings = 16
    /// A page's picture, in points.
    package static let pageWidth = 640.0
    package static let pageWidthMin = 120.0
    package static let pageWidthMax = 4000.0
    package static let pageHeightMin = 16.0
    package static let pageHeightMax = 30_000.0
    package static let pageScaleMin = 0.5
    package static let pageScaleMax = 4.0
    /// One side of a page's picture, in pixels: no picture in memory can have more.
    package static let pageSideMax = 32_000
    /// One side of a picture on a page.
    package static let imageSideMax = 4096
    /// All pictures on a page together, when they are decoded.
    package static let imagePixelsMax = 32_000_000
    /// For a panel: what is asked, and by whom.
    package static let panelTextLength = 400
    package static let reasons = 8
    package static let reasonLength = 300
    package static let provers = 8
    package static let proverLength = 64
    /// Dots of a passcode that are shown; more are not told apart.
    package static let dots = 24
    /// How long `screentime-draw --stay` waits for the next request.
    package static let stayMs: Int64 = 20_000
    /// How long the process that starts a drawing waits for it.
    package static let deadlineMs: Int64 = 20_000
}

/// The look of a shield without an extension that gives one: our own words, in the person's language.
package enum SystemLook {
    package static let label = ShieldColor(light: "#1D1D1FFF", dark: "#F5F5F7FF")
    package static let secondaryLabel = ShieldColor(light: "#4B4B52FF", dark: "#CDCDD4FF")
    package static let onButton = ShieldColor(light: "#FFFFFFFF", dark: "#FFFFFFFF")
    /// White words on it have a contrast of 5 and more.
    package static let button = ShieldColor(light: "#0A62DBFF", dark: "#1D6FE5FF")

    /// Everything filled in; `name` is what people call the app or site.
    package static func look(name: String?, language: String?) -> ShieldLook {
        filled(ShieldLook(submenu: []), name: name, language: language)
    }

    /// The same look with our own words and colours where it has none.
    ///
    /// A title of its own stands without our explanation, which could say something else.
    package static func filled(_ look: ShieldLook, name: String?, language: String?) -> ShieldLook {
        let words = WordLanguage(of: language)
        var result = look
        result.icon = look.icon ?? ShieldIcon(kind: .system, name: "hourglass")
        if look.title == nil {
            let title =
                if let name, !name.isEmpty {
                    words.say("shield.has-to-wait", "\(name, "name") is not available now")
                } else {
                    words.say("shield.this-has-to-wait", "This is not available now")
                }
            let explanation = words.say("shield.you-cannot-use-it", "You cannot use it at the moment.")
            result.title = ShieldText(text: title, color: label)
            result.subtitle = look.subtitle ?? ShieldText(text: explanation, color: secondaryLabel)
        }
        result.primary = look.primary ?? ShieldText(text: words.say("shield.ok", "OK"), color: onButton)
        result.primaryBackground = look.primaryBackground ?? button
        return result
    }
}
