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
    /// Of the app that it is about.
    package var icon: ShieldIcon?
    package var title: String
    /// Below the title, and smaller.
    package var text: String?
    /// Of a countdown: `5 min`, `0:42`.
    package var time: String?
    /// Whether it should catch the eye: the last minute.
    package var isUrgent: Bool?
    /// Of a question: what is allowed, one sentence each.
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
