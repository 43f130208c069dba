package import STContracts
import STPlatform

/// A page as lines of text.
package enum PageTerminal {
    /// Narrower windows get lines of this width.
    private static let columnsMin = 20
    /// Wider lines are hard to follow.
    private static let columnsMax = 200

    /// `chosen` is one option of each control, when another variant than the first is wanted; `language` is that of
    /// our own words, nil as the page is.
    package static func lines(
        _ page: Page,
        columns: Int,
        colour: Bool,
        language: String? = nil,
        chosen: [Int]? = nil
    ) -> [String] {
        let columns = min(max(columns, columnsMin), columnsMax)
        let words = PageWords(language: language ?? page.language)
        guard (try? PageCheck.check(page)) != nil else { return [words.broken] }
        let variant = page.variants[HTMLControls.first(page, chosen)]
        guard let tree = try? PageTree(variant.nodes) else { return [words.broken] }
        var lines: [TerminalLine] = []
        if let title = page.title?.orNil, !variant.nodes.contains(where: { $0.heading == 1 }) {
            lines += TextWrap.lines(DisplayWidth.harmless(title), columns: columns).map {
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
        return lines.map { $0.cut(to: columns).text(isColoured: colour) }
    }
}
