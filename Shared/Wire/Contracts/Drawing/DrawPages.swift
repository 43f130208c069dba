package import STPlatform

/// The kinds of panels that desktop-agent shows besides shields.
package enum DrawPanelKind: String, WireEnum {
    /// A small panel with the time that is left for the foreground app.
    case countdown
    /// An app's request for permission.
    case question
    /// The text of a notification, for a desktop that shows no notifications.
    case warning
    case unknown
}

/// The input of `screentime-draw --panel`: the texts of one panel, in the person's language, and its size.
package struct DrawPanelRequest: WireBody, Codable, Equatable {
    package var kind: DrawPanelKind
    /// The width in pixels.
    package var width: Int
    package var height: Int
    /// Pixels per unit of length of the desktop. `nil` means 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// The language of the texts, such as `ko` or `en_US`.
    package var language: String?
    /// True if the corners are transparent.
    package var isRounded: Bool?
    /// The icon of the app that the panel concerns.
    package var icon: ShieldIcon?
    package var title: String
    /// The smaller text below the title.
    package var text: String?
    /// The remaining time of a countdown, such as `5 min` or `0:42`.
    package var time: String?
    /// True in the last minute of a countdown, which is drawn in a conspicuous colour.
    package var isUrgent: Bool?
    /// The permissions that a question grants, one sentence each.
    package var reasons: [String]?
    /// The passcode field of a question. `nil` if no passcode is required.
    package var passcode: DrawPasscode?
    /// The error of the last answer.
    package var error: String?
    /// The label of a question's first button. `allow` is the label of the second one.
    package var deny: String?
    package var allow: String?
    /// True while an answer is being processed. Nothing can be pressed then.
    package var isBusy: Bool?
    /// The id of the spot with the keyboard focus.
    package var focus: String?
    package var format: DrawFormat?
    /// The absolute path of the picture, or `-` for standard output. In that case the answer goes to standard error.
    package var output: String

    package init(
        kind: DrawPanelKind,
        width: Int,
        height: Int,
        scale: Double? = nil,
        appearance: DrawAppearance = .light,
        language: String? = nil,
        title: String,
        output: String
    ) {
        self.kind = kind
        self.width = width
        self.height = height
        self.scale = scale
        self.appearance = appearance
        self.language = language
        self.title = title
        self.output = output
    }
}

/// The output of `screentime-draw --panel` after it has written the picture.
package struct DrawPanelAnswer: WireBody, Codable, Equatable {
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// The parts that can be pressed, topmost first.
    package var spots: [DrawnSpot]
    /// Messages about the parts that could not be drawn as requested.
    package var warnings: [Message]

    package init(width: Int, height: Int, bytes: Int, spots: [DrawnSpot], warnings: [Message]) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.spots = spots
        self.warnings = warnings
    }
}

/// The input of `screentime-draw --page`: a page and the settings of its drawing.
package struct DrawPageRequest: WireBody, Codable, Equatable {
    package var page: Page
    /// The width in points. `nil` means `DrawLimits.pageWidth`.
    ///
    /// The content of the page determines the height of the picture.
    package var width: Double?
    /// The maximum height in points. Content below it is cut off.
    package var height: Double?
    /// Pixels per point in a PNG. `nil` means 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// The index of the chosen option of each control. `nil` draws the initial state of the page.
    package var chosen: [Int]?
    /// `png` or `svg`. `nil` means `png`.
    package var format: DrawFormat?
    /// The absolute path of the picture, or `-` for standard output. In that case the answer goes to standard error.
    package var output: String

    package init(
        page: Page,
        width: Double? = nil,
        height: Double? = nil,
        scale: Double? = nil,
        appearance: DrawAppearance = .light,
        chosen: [Int]? = nil,
        format: DrawFormat? = nil,
        output: String
    ) {
        self.page = page
        self.width = width
        self.height = height
        self.scale = scale
        self.appearance = appearance
        self.chosen = chosen
        self.format = format
        self.output = output
    }
}

/// The output of `screentime-draw --page` after it has written the picture.
package struct DrawPageAnswer: WireBody, Codable, Equatable {
    /// The width, in pixels for a PNG and in points for an SVG.
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// True if the page continues below the end of the picture.
    package var isCut: Bool
    /// Messages about the parts that could not be drawn as requested.
    package var warnings: [Message]

    package init(width: Int, height: Int, bytes: Int, isCut: Bool, warnings: [Message]) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.isCut = isCut
        self.warnings = warnings
    }
}

/// One line of the input of `screentime-draw --stay`, with exactly one of the three drawings.
///
/// Each line is a JSON object that contains no line break and ends with one. `screentime-draw` answers the lines in their order.
package struct DrawSessionRequest: WireBody, Codable, Equatable {
    /// A number that the client chooses. The answer contains the same number.
    package var number: Int64
    package var shield: DrawRequest?
    package var page: DrawPageRequest?
    package var panel: DrawPanelRequest?

    package init(
        number: Int64,
        shield: DrawRequest? = nil,
        page: DrawPageRequest? = nil,
        panel: DrawPanelRequest? = nil
    ) {
        self.number = number
        self.shield = shield
        self.page = page
        self.panel = panel
    }
}

/// One line of the output of `screentime-draw --stay`: the answer of a drawing, or the reason why there is no picture.
package struct DrawSessionReply: WireBody, Codable, Equatable {
    /// The number of the request. `nil` if it could not be read.
    package var number: Int64?
    package var shield: DrawAnswer?
    package var page: DrawPageAnswer?
    package var panel: DrawPanelAnswer?
    package var problem: Problem?

    package init(
        number: Int64?,
        shield: DrawAnswer? = nil,
        page: DrawPageAnswer? = nil,
        panel: DrawPanelAnswer? = nil,
        problem: Problem? = nil
    ) {
        self.number = number
        self.shield = shield
        self.page = page
        self.panel = panel
        self.problem = problem
    }
}
