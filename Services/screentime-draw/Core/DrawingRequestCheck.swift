import STContracts
import STPlatform

/// Rejects sizes, scales and appearances that pictures on a screen cannot have.
enum DrawingRequestCheck {
    static func check(width: Int, height: Int, scale: Double, appearance: DrawAppearance) throws(Problem) {
        let sides = DrawLimits.sideMin...DrawLimits.sideMax
        for (side, field) in [(width, "/width"), (height, "/height")] where !sides.contains(side) {
            throw Problem(
                "draw.bad_size",
                """
                A side of \(side, "side") pixels cannot be drawn; choose from \(sides.lowerBound, "least") \
                to \(sides.upperBound, "most").
                """,
                field: field
            )
        }
        guard width * height <= DrawLimits.pixelsMax else {
            throw Problem(
                "draw.bad_size",
                """
                \(width, "width")x\(height, "height") is more than \(DrawLimits.pixelsMax, "most") pixels; \
                choose a smaller size.
                """,
                key: "draw.bad_size.x-is-more",
                field: "/width"
            )
        }
        guard scale >= DrawLimits.scaleMin, scale <= DrawLimits.scaleMax else {
            throw Problem(
                "draw.bad_scale",
                """
                The scale \(scale, "scale") is not valid. It must be from \(DrawLimits.scaleMin, "least") to \
                \(DrawLimits.scaleMax, "most").
                """,
                field: "/scale"
            )
        }
        guard appearance != .unknown else {
            throw Problem(
                "draw.bad_appearance",
                "The appearance must be light or dark.",
                field: "/appearance"
            )
        }
    }
}

/// Names of the parts of a drawing, for warnings.
enum PartName {
    static let title = Message("draw.part-title", "title")
    static let subtitle = Message("draw.part-subtitle", "subtitle")
    static let primaryButton = Message("draw.part-primary-button", "primary button")
    static let primaryBackground = Message("draw.part-primary-background", "background of the primary button")
    static let secondaryButton = Message("draw.part-secondary-button", "secondary button")
    static let menuEntry = Message("draw.part-menu-entry", "menu entry")
    static let more = Message("draw.part-more", "control below the buttons")
    static let note = Message("draw.part-note", "note below the buttons")
    static let icon = Message("draw.part-icon", "icon")
    static let background = Message("draw.part-background", "background")
    static let page = Message("draw.part-page", "page")

    /// Returns the name of a text of a panel, by the role of the text: `title`, `reason` or the name of a control.
    static func panelText(_ role: String) -> Message {
        switch role {
        case "title": title
        case "text": Message("draw.part-text", "text")
        case "time": Message("draw.part-time", "remaining time")
        case "reason": Message("draw.part-reason", "reason")
        case "prompt": Message("draw.part-prompt", "prompt for the passcode")
        case "error": Message("draw.part-error", "error message")
        case DrawnSpot.deny: Message("draw.part-deny-button", "deny button")
        case DrawnSpot.allow: Message("draw.part-allow-button", "allow button")
        default: Message("draw.part-prover", "name of a person")
        }
    }
}

/// Warnings about parts that could not be drawn as requested. The same warning is added only once.
final class Warnings {
    private(set) var messages: [Message] = []

    func add(_ message: Message) {
        guard messages.count < DrawLimits.warnings, !messages.contains(message) else { return }
        messages.append(message)
    }

    /// Returns a text of the request with unsafe characters removed and within the limit. Returns an empty text for nil.
    func cleaned(_ text: String?, _ part: Message, limit: Int, isOneLine: Bool = true) -> String {
        let (cleaned, isCut) = TextCleaning.cleaned(text ?? "", limit: limit, isOneLine: isOneLine)
        if isCut {
            add(
                Message(
                    "draw.text-too-long",
                    "The \(part, "part") is longer than \(limit, "most") characters. Its end is not shown."
                )
            )
        }
        return cleaned
    }

    /// Adds warnings for a laid-out text that is cut or has missing glyphs.
    func check(_ block: TextBlock, _ part: Message) {
        if block.isCut {
            add(
                Message(
                    "draw.text-does-not-fit",
                    "The \(part, "part") does not fit. Its end is not shown."
                )
            )
        }
        if block.missingGlyphs > 0 {
            add(
                Message(
                    "draw.characters-without-font",
                    count: block.missingGlyphs,
                    one: """
                        The \(part, "part") contains 1 character that no installed font has. Install a \
                        font that has it, such as fonts-noto.
                        """,
                    other: """
                        The \(part, "part") contains \(block.missingGlyphs, "count") characters that no \
                        installed font has. Install a font that has them, such as fonts-noto.
                        """
                )
            )
        }
    }

    /// Returns the ink of a colour. If the colour is invalid, adds a warning and returns `otherwise`.
    func ink(_ color: ShieldColor?, _ face: DrawAppearance, of part: Message, otherwise: DrawColor)
        -> DrawColor
    {
        guard let color else { return otherwise }
        let text = face == .dark ? color.dark : color.light
        if let ink = DrawColor(text) { return ink }
        add(
            Message(
                "draw.colour-not-valid",
                """
                The colour “\(text.prefix(20), "value")” of the \(part, "part") is not valid. Write it as \
                #RRGGBBAA.
                """
            )
        )
        return otherwise
    }
}
