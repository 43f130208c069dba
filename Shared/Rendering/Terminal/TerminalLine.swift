import STContracts
import STPlatform

/// A line of a terminal, in pieces with one style each. Its width does not count the styles.
struct TerminalLine {
    struct Piece {
        var text: String
        /// The SGR parameters, for example `1` for bold. `nil` means no style.
        var style: String?
    }

    private(set) var pieces: [Piece] = []
    private(set) var width = 0

    init(_ text: String = "", _ style: String? = nil) { add(text, style) }

    /// Adds a text without its control characters, because the text comes from an app and must not move the cursor.
    mutating func add(_ text: String, _ style: String? = nil) {
        guard !text.isEmpty else { return }
        let text = DisplayWidth.sanitized(text)
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

    /// Returns the line cut to this number of columns, with an ellipsis if it was longer.
    func truncated(to columns: Int) -> TerminalLine {
        guard width > columns else { return self }
        var line = TerminalLine()
        for piece in pieces {
            let left = columns - line.width
            if DisplayWidth.columns(piece.text) > left {
                line.add(DisplayWidth.truncated(piece.text, left), piece.style)
                break
            }
            line.add(piece.text, piece.style)
        }
        return line
    }

    /// Returns the text for the terminal, without trailing blanks.
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

/// Styles that every terminal supports.
enum TerminalStyle {
    static let bold = "1"
    static let dim = "2"

    /// Returns the nearest of the terminal's standard colours, which its owner has chosen for the background.
    static func color(_ color: PageColor?) -> String? {
        guard let ink = color.flatMap({ RGBAColor($0.light) }) else { return nil }
        let high = max(ink.red, ink.green, ink.blue)
        let low = min(ink.red, ink.green, ink.blue)
        guard high - low > 0.18 else { return nil }
        let span = high - low
        var hue: Double
        if high == ink.red {
            hue = (ink.green - ink.blue) / span
        } else if high == ink.green {
            hue = 2 + (ink.blue - ink.red) / span
        } else {
            hue = 4 + (ink.red - ink.green) / span
        }
        if hue < 0 { hue += 6 }
        switch hue {
        case ..<0.4: return "31"
        case ..<1.35: return "33"
        case ..<2.75: return "32"
        case ..<3.35: return "36"
        case ..<4.3: return "34"
        case ..<5.5: return "35"
        default: return "31"
        }
    }
}

/// Bars of block characters, in eighths of a column.
enum TerminalBar {
    private static let across = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let up = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Returns a horizontal bar. It is not empty for a value above zero.
    static func text(_ value: Double, of top: Double, columns: Int) -> String {
        guard value > 0, top > 0, columns > 0 else { return "" }
        let units = max(1, Int((min(value / top, 1) * Double(columns * 8)).rounded()))
        return String(repeating: "█", count: units / 8) + across[units % 8]
    }

    /// Returns one vertical column of a chart, from its top row down.
    static func column(_ value: Double, of top: Double, rows: Int) -> [String] {
        guard top > 0 else { return [String](repeating: " ", count: rows) }
        let units = value > 0 ? max(1, Int((min(value / top, 1) * Double(rows * 8)).rounded())) : 0
        return (0..<rows).reversed().map { row in up[min(max(units - row * 8, 0), 8)] }
    }
}
