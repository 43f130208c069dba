package import STContracts
import STPlatform

/// Converts a page into lines of text.
package enum PageTerminal {
    /// The minimum width of lines, also in narrower windows.
    private static let columnsMin = 20
    /// The maximum width of lines, because wider lines are hard to read.
    private static let columnsMax = 200

    /// Returns the lines of a page.
    ///
    /// `chosen` contains one option of each control, to show another variant than the first. `language` is the language of our
    /// own texts. Nil means the language of the page.
    package static func lines(
        _ page: Page,
        columns: Int,
        colour: Bool,
        language: String? = nil,
        chosen: [Int]? = nil
    ) -> [String] {
        let columns = min(max(columns, columnsMin), columnsMax)
        let words = PageStrings(language: language ?? page.language)
        guard (try? PageCheck.check(page)) != nil else { return [words.broken] }
        let variant = page.variants[HTMLControls.first(page, chosen)]
        guard let tree = try? PageTree(variant.nodes) else { return [words.broken] }
        var lines: [TerminalLine] = []
        if let title = page.title?.orNil, !variant.nodes.contains(where: { $0.heading == 1 }) {
            lines += TextWrap.lines(DisplayWidth.sanitized(title), columns: columns).map {
                TerminalLine($0, TerminalStyle.bold)
            }
            lines.append(TerminalLine())
        }
        if variant.nodes.isEmpty { lines.append(TerminalLine(words.nothing)) }
        var arranger = TerminalArranger(
            page: page,
            variant: variant,
            tree: tree,
            columns: columns,
            language: language ?? page.language
        )
        lines += arranger.lines()
        return lines.map { $0.truncated(to: columns).text(isColoured: colour) }
    }
}
