import STPlatform

/// Replaces emoji in an SVG by pictures, because librsvg of Debian 12 draws the glyphs of a coloured font as black shapes.
enum EmojiPictures {
    /// The font size of the pictures in pixels, about the size of the bitmaps in fonts.
    private static let letterSize = 128.0
    private static let lettersMax = 12
    private static let picturesMax = 16
    private static let bytesMax = 4 << 20
    private static let sideMax = 2_048.0

    /// Returns the SVG with pictures in place of text elements that contain only emoji. Emoji that no font has are removed.
    static func inserted(into svg: [UInt8]) -> [UInt8] {
        var rest = svg[...]
        var made: [UInt8] = []
        var drawn: [String: Picture?] = [:]
        while let start = rest.firstRange(of: Array("<text ".utf8)),
            let end = rest[start.upperBound...].firstRange(of: Array("</text>".utf8)),
            let close = rest[start.upperBound..<end.lowerBound].firstIndex(of: UInt8(ascii: ">"))
        {
            let words = String(decoding: rest[(close + 1)..<end.lowerBound], as: UTF8.self)
            var element: String?
            if isEmoji(words), drawn.count < picturesMax || drawn[words] != nil {
                let picture = drawn[words] ?? (try? picture(of: words)) ?? nil
                drawn[words] = .some(picture)
                element = place(picture, String(decoding: rest[start.upperBound..<close], as: UTF8.self)[...])
            }
            made += rest[..<start.lowerBound]
            if let element { made += element.utf8 } else { made += rest[start.lowerBound..<end.upperBound] }
            guard made.count <= bytesMax else { return svg }
            rest = rest[end.upperBound...]
        }
        return drawn.isEmpty ? svg : made + rest
    }

    private struct Picture {
        var data: String
        var width: Double
        var height: Double
    }

    private static func isEmoji(_ words: String) -> Bool {
        words.count <= lettersMax && words.contains { $0 != " " }
            && words.allSatisfy { letter in
                letter == " "
                    || letter.unicodeScalars.contains {
                        $0.properties.isEmojiPresentation || $0.value == 0xFE0F
                    }
            }
    }

    /// Returns nil if no font has the emoji.
    private static func picture(of words: String) throws(Problem) -> Picture? {
        func block(on canvas: Canvas) -> TextBlock {
            let style = TextBlock.Style(size: letterSize, weight: .regular, isCentred: false)
            let block = TextBlock(words, style, language: nil, on: canvas)
            block.fit(width: sideMax, lines: 1)
            return block
        }
        let probe = block(on: try Canvas(width: 1, height: 1))
        guard probe.missingGlyphs == 0 else { return nil }
        let (width, height) = (max(1, min(sideMax, probe.lineWidth)), max(1, min(sideMax, probe.height)))
        let canvas = try Canvas(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
        block(on: canvas).draw(x: 0, y: 0, DrawColor(hex: 0))
        return Picture(data: Base64.encode(try canvas.png()), width: width, height: height)
    }

    /// Returns the image element that replaces a text element, or nil if its position and size are not plain numbers.
    private static func place(_ picture: Picture?, _ head: Substring) -> String? {
        func value(_ name: String) -> Substring? {
            guard let start = (" " + head).firstRange(of: " \(name)=\"") else { return nil }
            return (" " + head)[start.upperBound...].prefix { $0 != "\"" }
        }
        func number(_ name: String) -> Double? { value(name).flatMap { Double($0) } }
        guard let x = number("x"), let y = number("y"), let size = number("font-size"), size > 0, size < 1e6
        else { return nil }
        guard let picture else { return "" }
        let (width, height) = (picture.width * size / letterSize, picture.height * size / letterSize)
        let left =
            switch value("text-anchor") {
            case "middle": x - width / 2
            case "end": x - width
            default: x
            }
        // The middle of an emoji is about a third of the font size above the baseline.
        let top = y - 0.356 * size - height / 2
        let opacity = (number("opacity") ?? 1) * (number("fill-opacity") ?? 1)
        let sides = [("x", left), ("y", top), ("width", width), ("height", height), ("opacity", opacity)]
        let moved = value("transform").map { " transform=\"\($0)\"" } ?? ""
        return "<image" + sides.map { " \($0)=\"\($1)\"" }.joined() + moved
            + " href=\"data:image/png;base64,\(picture.data)\"/>"
    }
}
