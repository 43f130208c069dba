import STPlatform

/// A line of a terminal in pieces of one look each; its width counts no looks.
struct TerminalLine {
    struct Piece {
        var text: String
        /// As terminals number looks, such as `1` for bold; nil is plain.
        var style: String?
    }

    private(set) var pieces: [Piece] = []
    private(set) var width = 0

    init(_ text: String = "", _ style: String? = nil) { add(text, style) }

    /// Nothing in it moves a cursor: what is shown comes from somebody else's code.
    mutating func add(_ text: String, _ style: String? = nil) {
        guard !text.isEmpty else { return }
        let text = DisplayWidth.harmless(text)
        pieces.append(Piece(text: text, style: style))
        width += DisplayWidth.columns(text)
    }

    mutating func add(_ line: TerminalLine) {
        pieces += line.pieces
        width += line.width
    }

    mutating func pad(to columns: Int) {
        if columns > width { add(String(repeating: " ", count: columns - width)) }
    }

    /// The same in so many columns, with an ellipsis where something had no room.
    func cut(to columns: Int) -> TerminalLine {
        guard width > columns else { return self }
        var line = TerminalLine()
        for piece in pieces {
            let left = columns - line.width
            if DisplayWidth.columns(piece.text) > left {
                line.add(DisplayWidth.cut(piece.text, left), piece.style)
                break
            }
            line.add(piece.text, piece.style)
        }
        return line
    }

    /// As it is printed: nothing at the end that nobody sees.
    func text(isColoured: Bool) -> String {
        var kept = pieces
        while let last = kept.last, last.text.allSatisfy({ $0 == " " }) { kept.removeLast() }
        if var last = kept.popLast() {
            while last.text.last == " " { last.text.removeLast() }
            kept.append(last)
        }
        return kept.map { piece in
            guard isColoured, let style = piece.style else { return piece.text }
            return "\u{1B}[\(style)m\(piece.text)\u{1B}[0m"
        }.joined()
    }
}
