package import STPlatform

/// The colour scheme of a desktop.
package enum DrawAppearance: String, WireEnum {
    case light
    case dark
    case unknown
}

/// The format of a drawing.
package enum DrawFormat: String, WireEnum {
    case png
    /// The bare pixels, row by row without gaps: 32 bits each, premultiplied, in the byte order of this machine.
    case argb32
    /// Outlines, also of letters. Only for pages.
    case svg
    case unknown
}

/// The input of `screentime-draw`: a shield, and the size of the window that it covers.
package struct DrawRequest: WireBody, Codable, Equatable {
    package var look: ShieldAppearance
    /// The displayed name of the app or site, for the texts that `look` leaves to the system.
    package var name: String?
    /// The width in pixels.
    package var width: Int
    package var height: Int
    /// Pixels per unit of length of the desktop. `nil` means 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// The language of the texts, such as `ko` or `en_US`.
    package var language: String?
    /// The absolute path of a picture of the covered content, for looks with a translucent background.
    package var backdrop: String?
    /// The button with the keyboard focus.
    package var focus: ShieldButton?
    /// True while the menu of the secondary button is open.
    package var isMenuOpen: Bool?
    /// The control below the buttons of `look`.
    package var more: DrawMore?
    package var format: DrawFormat?
    /// The absolute path of the picture, or `-` for standard output. In that case the answer goes to standard error.
    package var output: String

    package init(
        look: ShieldAppearance,
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

/// The position of a button in a picture, in pixels from the upper left corner.
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

/// The output of `screentime-draw` after it has written the picture of a shield.
package struct DrawAnswer: WireBody, Codable, Equatable {
    package var width: Int
    package var height: Int
    package var bytes: Int
    package var buttons: [DrawnButton]
    /// Messages about the parts that could not be drawn as requested.
    package var warnings: [Message]
    /// The other parts that can be pressed: `DrawnSpot.moreTime` or `DrawnSpot.closeApp`.
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

/// The inconspicuous control of a shield below its own buttons.
package struct DrawMore: WireBody, Codable, Equatable {
    /// The label of the control, such as "Ask for more time".
    package var label: String?
    /// The id of the control's spot. `nil` means `DrawnSpot.moreTime`.
    package var spot: String?
    /// One line of text below the control, such as the state of a request.
    package var note: String?
    /// True if the control has the keyboard focus.
    package var isFocused: Bool?

    package init(label: String? = nil, spot: String? = nil, note: String? = nil, isFocused: Bool? = nil) {
        self.label = label
        self.spot = spot
        self.note = note
        self.isFocused = isFocused
    }
}

/// The displayed state of a passcode field, which never contains the passcode itself.
package struct DrawPasscode: WireBody, Codable, Equatable {
    /// A sentence that states whose passcode is required.
    package var prompt: String
    /// The people whose passcode is accepted, if there is a choice.
    package var provers: [String]
    /// The index of the chosen person in `provers`.
    package var chosen: Int
    /// The number of characters that have been typed.
    package var dots: Int

    package init(prompt: String, provers: [String] = [], chosen: Int = 0, dots: Int = 0) {
        self.prompt = prompt
        self.provers = provers
        self.chosen = chosen
        self.dots = dots
    }
}

/// The position of a part that can be pressed, in pixels from the upper left corner of the picture.
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

/// The limits of drawings.
package enum DrawLimits {
    /// The maximum length of one side, in pixels: more than any screen has.
    package static let sideMax = 8192
    package static let sideMin = 16
    /// The maximum number of pixels of a picture: somewhat more than an 8K screen has.
    package static let pixelsMax = 40_000_000
    package static let scaleMin = 0.5
    package static let scaleMax = 8.0
    package static let requestBytes = 8 << 20
    package static let iconBytes = 4 << 20
    package static let iconSideMax = 4096
    /// The maximum size of the picture of the covered content.
    package static let backdropBytes = 64 << 20
    /// The maximum length of a title, in Unicode scalars. Longer texts never fit.
    package static let titleLength = 300
    package static let subtitleLength = 2000
    package static let buttonLength = 120
    package static let submenuEntries = 4
    package static let warnings = 16
    /// The default width of a page's picture, in points.
    package static let pageWidth = 640.0
    package static let pageWidthMin = 120.0
    package static let pageWidthMax = 4000.0
    package static let pageHeightMin = 16.0
    package static let pageHeightMax = 30_000.0
    package static let pageScaleMin = 0.5
    package static let pageScaleMax = 4.0
    /// The maximum length of one side of a page's picture, in pixels. No picture in memory can be larger.
    package static let pageSideMax = 32_000
    /// The maximum length of one side of an image on a page, in pixels.
    package static let imageSideMax = 4096
    /// The maximum number of pixels of all images on a page together, after they are decoded.
    package static let imagePixelsMax = 32_000_000
    /// The maximum length of a text in a panel, in Unicode scalars.
    package static let panelTextLength = 400
    package static let reasons = 8
    package static let reasonLength = 300
    package static let provers = 8
    package static let proverLength = 64
    /// The maximum number of dots that a passcode field shows. Longer passcodes look the same.
    package static let dots = 24
    /// The time for which `screentime-draw --stay` waits for the next request.
    package static let stayMs: Int64 = 20_000
    /// The time for which the process that starts a drawing waits for the picture.
    package static let deadlineMs: Int64 = 20_000
}

/// The default look of a shield, with Screen Time's own texts in the person's language. Shields without an extension use it.
package enum SystemAppearance {
    package static let label = ShieldColor(light: "#1D1D1FFF", dark: "#F5F5F7FF")
    package static let secondaryLabel = ShieldColor(light: "#4B4B52FF", dark: "#CDCDD4FF")
    package static let onButton = ShieldColor(light: "#FFFFFFFF", dark: "#FFFFFFFF")
    /// White text on this colour has a contrast ratio of at least 5.
    package static let button = ShieldColor(light: "#0A62DBFF", dark: "#1D6FE5FF")

    /// Returns a complete look. `name` is the displayed name of the app or site.
    package static func appearance(name: String?, language: String?) -> ShieldAppearance {
        filled(ShieldAppearance(submenu: []), name: name, language: language)
    }

    /// Returns the look with Screen Time's own texts and colours in place of missing ones.
    ///
    /// A look with a title of its own gets no explanation, because the explanation could contradict the title.
    package static func filled(_ look: ShieldAppearance, name: String?, language: String?) -> ShieldAppearance
    {
        let words = DisplayLanguage(of: language)
        var result = look
        result.icon = look.icon ?? ShieldIcon(kind: .system, name: "hourglass")
        if look.title == nil {
            let title =
                if let name, !name.isEmpty {
                    words.text("shield.has-to-wait", "\(name, "name") is not available now")
                } else {
                    words.text("shield.this-has-to-wait", "This is not available now")
                }
            let explanation = words.text("shield.you-cannot-use-it", "You cannot use it at the moment.")
            result.title = ShieldText(text: title, color: label)
            result.subtitle = look.subtitle ?? ShieldText(text: explanation, color: secondaryLabel)
        }
        result.primary = look.primary ?? ShieldText(text: words.text("shield.ok", "OK"), color: onButton)
        result.primaryBackground = look.primaryBackground ?? button
        return result
    }
}
