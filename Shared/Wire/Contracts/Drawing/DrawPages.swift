package import STPlatform

/// What we put on a screen besides shields.
package enum DrawPanelKind: String, WireEnum {
    /// Small and quiet: how much is left of what is in front.
    case countdown
    /// An app asks for permission.
    case question
    /// What a notification would say, on a desktop that shows none.
    case warning
    case unknown
}

/// What `screentime-draw --panel` reads: the words of one panel, in the person's language already, and its size.
package struct DrawPanelRequest: WireBody, Codable, Equatable {
    package var kind: DrawPanelKind
    /// In pixels.
    package var width: Int
    package var height: Int
    /// Pixels of the desktop's unit of length; nil is 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// Such as `ko` or `en_US`.
    package var language: String?
    /// Whether its corners may be seen through.
    package var isRounded: Bool?
    /// The icon of the app that it is about.
    package var icon: ShieldIcon?
    package var title: String
    /// Below the title, and smaller.
    package var text: String?
    /// For a countdown: `5 min`, `0:42`.
    package var time: String?
    /// Whether it should catch the eye: the last minute.
    package var isUrgent: Bool?
    /// For a question: what is allowed, one sentence each.
    package var reasons: [String]?
    /// Who proves it; nil asks for no passcode.
    package var passcode: DrawPasscode?
    /// What went wrong with the last answer.
    package var error: String?
    /// Labels of the two buttons of a question.
    package var deny: String?
    package var allow: String?
    /// Whether an answer is under way, so that nothing can be pressed.
    package var isBusy: Bool?
    /// The spot that the keyboard would press, or types into.
    package var focus: String?
    package var format: DrawFormat?
    /// An absolute path, or `-` for standard output; the answer then goes to standard error.
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

/// What `screentime-draw --panel` answers once the picture is written.
package struct DrawPanelAnswer: WireBody, Codable, Equatable {
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// What can be pressed; what lies on top comes first.
    package var spots: [DrawnSpot]
    /// What could not be drawn as requested.
    package var warnings: [Message]

    package init(width: Int, height: Int, bytes: Int, spots: [DrawnSpot], warnings: [Message]) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.spots = spots
        self.warnings = warnings
    }
}

/// What `screentime-draw --page` reads: a page and how it is to be drawn.
package struct DrawPageRequest: WireBody, Codable, Equatable {
    package var page: Page
    /// In points; nil is `DrawLimits.pageWidth`.
    ///
    /// How tall the picture gets is up to what stands on the page.
    package var width: Double?
    /// In points: what stands further below is cut off.
    package var height: Double?
    /// Pixels of a point, in a PNG; nil is 1.
    package var scale: Double?
    package var appearance: DrawAppearance
    /// One option of each control; nil shows the page as it is at first.
    package var chosen: [Int]?
    /// `png` (also nil) or `svg`.
    package var format: DrawFormat?
    /// An absolute path, or `-` for standard output; the answer then goes to standard error.
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

/// What `screentime-draw --page` answers once the picture is written.
package struct DrawPageAnswer: WireBody, Codable, Equatable {
    /// For a PNG in pixels, for an SVG in points.
    package var width: Int
    package var height: Int
    package var bytes: Int
    /// Whether the page goes on below the end of the picture.
    package var isCut: Bool
    /// What could not be drawn as requested.
    package var warnings: [Message]

    package init(width: Int, height: Int, bytes: Int, isCut: Bool, warnings: [Message]) {
        self.width = width
        self.height = height
        self.bytes = bytes
        self.isCut = isCut
        self.warnings = warnings
    }
}

/// One line of what `screentime-draw --stay` reads: exactly one of the three drawings.
///
/// JSON without line breaks, ended by one. Lines are answered in their order.
package struct DrawStayRequest: WireBody, Codable, Equatable {
    /// The asker chooses it; the answer repeats it.
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

/// One line of what `screentime-draw --stay` answers: a drawing's answer, or why there is no picture.
package struct DrawStayAnswer: WireBody, Codable, Equatable {
    /// The request's number; nil where that could not be read.
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
