import STPlatform

/// Emoji in an SVG as pictures: librsvg of Debian 12 draws the letters of a coloured font as black shapes.
enum EmojiPictures {
    /// In pixels; fonts have them about as large.
    private static let letterSize = 128.0
    private static let lettersMax = 8
    private static let sideMax = 2_048.0

    /// Texts of emoji alone become pictures where they stand; where no font has them, nothing stands there.
    static func inserted(into svg: [UInt8]) throws(Problem) -> [UInt8] {
        var rest = String(decoding: svg, as: UTF8.self)[...]
        var made = ""
        while let start = rest.firstRange(of: "<text "),
            let end = rest[start.upperBound...].firstRange(of: "</text>"),
            let close = rest[start.upperBound..<end.lowerBound].firstIndex(of: ">")
        {
            let head = rest[start.upperBound..<close]
            let words = rest[rest.index(after: close)..<end.lowerBound]
            let picture = isEmoji(words) ? try picture(String(words), head) : nil
            made += rest[..<start.lowerBound]
            made += picture ?? String(rest[start.lowerBound..<end.upperBound])
            rest = rest[end.upperBound...]
        }
        return Array((made + rest).utf8)
    }

    private static func isEmoji(_ words: Substring) -> Bool {
        (1...lettersMax).contains(words.count)
            && words.allSatisfy { letter in
                letter.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }
            }
    }

    /// Nil where it does not say in plain numbers where it stands.
    private static func picture(_ words: String, _ head: Substring) throws(Problem) -> String? {
        func value(_ name: String) -> Substring? {
            guard let start = head.firstRange(of: "\(name)=\"") else { return nil }
            return head[start.upperBound...].prefix { $0 != "\"" }
        }
        func number(_ name: String) -> Double? { value(name).flatMap { Double($0) } }
        guard let x = number("x"), let y = number("y"), let size = number("font-size"), size > 0, size < 1e6
        else { return nil }
        let probe = try Canvas(width: 1, height: 1)
        let style = TextBlock.Style(size: letterSize, weight: .regular, isCentred: false)
        let block = TextBlock(words, style, language: nil, on: probe)
        block.fit(width: sideMax, lines: 1)
        guard block.missingGlyphs == 0 else { return "" }
        let (width, height) = (min(sideMax, block.lineWidth), min(sideMax, block.height))
        let canvas = try Canvas(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
        let drawn = TextBlock(words, style, language: nil, on: canvas)
        drawn.fit(width: sideMax, lines: 1)
        drawn.draw(x: 0, y: 0, Ink(hex: 0))
        let scale = size / letterSize
        let left =
            switch value("text-anchor") {
            case "middle": x - width * scale / 2
            case "end": x - width * scale
            default: x
            }
        // Their middle is about a third of a letter above the line that others stand on.
        let top = y - 0.356 * size - height * scale / 2
        let places = [("x", left), ("y", top), ("width", width * scale), ("height", height * scale)]
        let kept = ["transform", "opacity"].compactMap { name in value(" " + name).map { "\(name)=\"\($0)\"" }
        }
        return "<image " + places.map { "\($0)=\"\($1)\" " }.joined() + kept.joined(separator: " ")
            + " href=\"data:image/png;base64,\(Base64.encode(try canvas.png()))\"/>"
    }
}
