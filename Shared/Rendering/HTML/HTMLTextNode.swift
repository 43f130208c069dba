import STContracts
import STPlatform

/// Writes texts with a style for each run.
struct HTMLTextNode {
    /// The default font size, as on a phone.
    static let size = 17.0
    private static let label = PageColor(light: "#1D1D1FFF", dark: "#F5F5F7FF")
    /// The number of columns up to which a text in a row is never broken, for example figures and short names.
    private static let shortMax = 14

    private let node: PageNode
    private let base: HTMLNode

    init(_ base: HTMLNode) {
        self.base = base
        node = base.node
    }

    func write(_ builder: inout HTMLBuilder) -> HTMLNode.Written {
        let runs = node.runs ?? []
        var tag = "p"
        if let heading = node.heading { tag = "h\(builder.headings.level(heading))" }
        var style: [String] = []
        var inside = ""
        if runs.count == 1 {
            style = styles(of: runs[0], &builder)
            inside = HTMLEscape.text(runs[0].text)
        } else {
            for run in runs {
                let look = styles(of: run, &builder).joined(separator: ";")
                inside +=
                    "<span\(look.isEmpty ? "" : " style=\"\(look)\"")>\(HTMLEscape.text(run.text))</span>"
            }
        }
        let plain = runs.map(\.text).joined()
        switch node.align {
        case .center, .top, .bottom: style.append("text-align:center")
        case .trailing, .topTrailing, .bottomTrailing: style.append("text-align:end")
        default: break
        }
        var names = "t"
        if let lines = node.lines, lines > 0 {
            names += " cl"
            style.append("-webkit-line-clamp:\(lines)")
        }
        // Long texts are broken into lines, but not within words.
        if base.context.placement == .row {
            names += DisplayWidth.columns(plain) <= Self.shortMax ? " n" : " lt"
        }
        if let label = node.label?.orNil {
            // A paragraph cannot have an ARIA label, so the label is a visually hidden text in it.
            inside =
                "<span class=\"vh\">\(HTMLEscape.text(label))</span><span aria-hidden=\"true\">\(inside)</span>"
        }
        let looks = style.isEmpty ? "" : " style=\"\(style.joined(separator: ";"))\""
        return base.leaf("<\(tag) class=\"\(names)\" dir=\"auto\"\(looks)>\(inside)</\(tag)>")
    }

    private func styles(of run: PageRun, _ builder: inout HTMLBuilder) -> [String] {
        var style: [String] = []
        let size = run.font?.size ?? Self.size
        if size != Self.size { style.append("font-size:\(HTMLNumber.rem(size))") }
        // Large text has less line spacing.
        if size >= 24 { style.append("line-height:1.2") }
        let weight = run.font?.weight ?? 400
        if weight != 400 { style.append("font-weight:\(min(max(weight, 1), 1000))") }
        switch run.font?.design {
        case "monospaced": style.append("font-family:ui-monospace,monospace")
        case "serif": style.append("font-family:ui-serif,Georgia,serif")
        case "rounded": style.append("font-family:ui-rounded,system-ui,sans-serif")
        default: break
        }
        if run.font?.italic == true { style.append("font-style:italic") }
        let lines = [(run.underline, "underline"), (run.strike, "line-through")].filter { $0.0 == true }
        if !lines.isEmpty { style.append("text-decoration:" + lines.map(\.1).joined(separator: " ")) }
        let isLarge = size >= 24 || (size >= 18.7 && weight >= 700)
        let color = run.color ?? Self.label
        let readable = base.context.background.readable(color, isLarge: isLarge)
        if readable != Self.label { style.append("color:\(builder.colors.use(readable))") }
        return style
    }
}
