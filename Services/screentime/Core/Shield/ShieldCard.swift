package import STContracts
import STPlatform

/// A shield on a terminal: a box of its own, as wide as its words need.
package struct ShieldCard {
    private static let widthMax = 60
    private static let widthMin = 24
    private static let titleLines = 3
    private static let subtitleLines = 14
    /// Symbols that terminals have a character for.
    private static let characters = [
        "hourglass": "⧗", "moon": "☾", "lock": "▣", "heart": "♥", "star": "★", "clock": "◷", "flag": "⚑",
        "hand": "⊘", "xmark": "✕", "checkmark": "✓", "exclamationmark": "⚠", "sun": "☀", "nosign": "⊘",
    ]

    private let look: ShieldLook
    private let width: Int

    /// `look` is complete; `columns` is what the terminal has.
    package init(_ look: ShieldLook, columns: Int) {
        self.look = look
        width = max(Self.widthMin, min(Self.widthMax, columns - 2))
    }

    private var inside: Int { width - 6 }

    package func lines(_ terminal: Terminal) -> [String] {
        var rows = [blank]
        if let icon = icon { rows += [row(icon, .cyan, terminal), blank] }
        rows += block(look.title, Self.titleLines, .bold, terminal)
        if look.title != nil, look.subtitle != nil { rows.append(blank) }
        rows += block(look.subtitle, Self.subtitleLines, nil, terminal)
        rows.append(blank)
        if let primary = look.primary { rows += button(primary.text, terminal) }
        if let secondary = look.secondary, !Self.clean(secondary.text).isEmpty {
            let mark = look.submenu.isEmpty ? "" : " ▾"
            rows += [
                blank, row(DisplayWidth.cut(Self.clean(secondary.text), inside - 2) + mark, .cyan, terminal),
            ]
            for entry in look.submenu.prefix(DrawLimits.submenuEntries) {
                rows.append(row(DisplayWidth.cut("· " + Self.clean(entry), inside), .dim, terminal))
            }
        }
        rows.append(blank)
        let line = String(repeating: "─", count: width - 2)
        return ["╭\(line)╮"] + rows + ["╰\(line)╯"]
    }

    private var icon: String? {
        guard let icon = look.icon else { return nil }
        guard icon.kind == .system, let name = icon.name else { return "▦" }
        return Self.characters[String(name.prefix { $0 != "." })] ?? "▦"
    }

    private var blank: String { "│" + String(repeating: " ", count: width - 2) + "│" }

    private func block(_ text: ShieldText?, _ limit: Int, _ style: Terminal.Style?, _ terminal: Terminal)
        -> [String]
    {
        guard let text else { return [] }
        // What was longer is cut where it would only scroll by.
        let paragraphs = text.text.prefix(DrawLimits.subtitleLength).split { $0.isNewline }
        var lines = paragraphs.flatMap { TextWrap.lines(Self.clean(String($0)), columns: inside) }
        if lines.count > limit || text.text.count > DrawLimits.subtitleLength {
            lines = Array(lines.prefix(limit))
            if let last = lines.popLast() { lines.append(DisplayWidth.cut(last, inside - 1) + "…") }
        }
        return lines.map { row($0, style, terminal) }
    }

    private func button(_ text: String, _ terminal: Terminal) -> [String] {
        let label = DisplayWidth.cut(Self.clean(text), inside - 4)
        let line = String(repeating: "─", count: DisplayWidth.columns(label) + 4)
        return [
            row("┌\(line)┐", nil, terminal), row("│  \(label)  │", .bold, terminal),
            row("└\(line)┘", nil, terminal),
        ]
    }

    /// In the middle; the style is the text's alone.
    private func row(_ text: String, _ style: Terminal.Style?, _ terminal: Terminal) -> String {
        let space = max(0, width - 2 - DisplayWidth.columns(text))
        let left = String(repeating: " ", count: space / 2)
        let right = String(repeating: " ", count: space - space / 2)
        return "│" + left + (style.map { terminal.styled(text, $0) } ?? text) + right + "│"
    }

    private static func clean(_ text: String) -> String {
        DisplayWidth.harmless(
            text.map { $0.isNewline || $0 == "\t" ? " " : $0 }.reduce(into: "") { $0.append($1) }
        )
    }
}
