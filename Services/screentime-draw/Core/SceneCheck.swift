import STContracts
import STPlatform

/// Refuses sizes, scales and appearances that no picture on a screen can have.
enum SceneCheck {
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
                The scale is \(scale, "scale"), and can be from \(DrawLimits.scaleMin, "least") to \
                \(DrawLimits.scaleMax, "most").
                """,
                field: "/scale"
            )
        }
        guard appearance != .unknown else {
            throw Problem("draw.bad_appearance", "The appearance is light or dark.", field: "/appearance")
        }
    }
}

/// Sentences about what could not be drawn as it was asked for, each once.
final class Warnings {
    private(set) var all: [String] = []

    func add(_ sentence: String) {
        guard all.count < DrawLimits.warnings, !all.contains(sentence) else { return }
        all.append(sentence)
    }

    /// A text from outside, made fit to be drawn; empty for none.
    func cleaned(_ text: String?, _ what: String, limit: Int, isOneLine: Bool = true) -> String {
        let (cleaned, isCut) = TextCleaning.cleaned(text ?? "", limit: limit, isOneLine: isOneLine)
        if isCut { add("The \(what) is longer than \(limit) characters; its end is not shown.") }
        return cleaned
    }

    /// What is missing of a text that was laid out.
    func check(_ block: TextBlock, _ what: String) {
        if block.isCut { add("The \(what) does not fit; its end is not shown.") }
        if block.missingGlyphs > 0 {
            add(
                "No font here has \(block.missingGlyphs) of the characters of the \(what); "
                    + "install one, such as fonts-noto."
            )
        }
    }

    /// The ink of a colour, or `otherwise` with a warning when it cannot be read.
    func ink(_ color: ShieldColor?, _ face: DrawAppearance, of what: String, otherwise: Ink) -> Ink {
        guard let color else { return otherwise }
        let text = face == .dark ? color.dark : color.light
        if let ink = Ink(text) { return ink }
        add("The colour of the \(what), “\(text.prefix(20))”, is not a colour; write it as #RRGGBBAA.")
        return otherwise
    }
}
