import STContracts

/// A story as lines: the tree at the left, then who, how long, and how it went.
package enum TraceText {
    private struct Line {
        var label: String
        var service: String
        var hop: String
        var duration: String
        var outcome: TraceOutcome
        var origin: String
        var isRoot: Bool
    }

    package static func lines(_ story: TraceStory, _ terminal: Terminal) -> [String] {
        let tree = story.tree
        var lines: [Line] = []
        for root in tree.roots { append(root, tree, prefix: "", childPrefix: "", to: &lines) }
        if story.isContinued, !lines.isEmpty { lines[0].origin += "  (later, of the same story)" }
        if !lines.isEmpty { lines[0].origin += "  " + String(story.traceId.prefix(8)) }
        var texts = laidOut(lines, terminal)
        if story.missing > 0 { texts.append("   … and \(story.missing) steps more") }
        return texts
    }

    /// The stack is explicit, because how deep a story goes is decided by whoever sends spans.
    private static func append(
        _ root: Int,
        _ tree: TraceTree,
        prefix: String,
        childPrefix: String,
        to lines: inout [Line]
    ) {
        var stack = [(index: root, prefix: prefix, childPrefix: childPrefix)]
        while let (index, prefix, childPrefix) = stack.popLast() {
            lines.append(line(index, tree, prefix))
            let children = tree.nodes[index].children
            for (position, child) in children.enumerated().reversed() {
                let isLast = position == children.count - 1
                stack.append((child, childPrefix + (isLast ? "└─ " : "├─ "), childPrefix + (isLast ? "   " : "│  ")))
            }
        }
    }

    private static func line(_ index: Int, _ tree: TraceTree, _ prefix: String) -> Line {
        let node = tree.nodes[index]
        let span = node.span
        var origin = ""
        if node.parent == nil {
            if let principal = span.principal { origin = "← \(DisplayWidth.harmless(principal))" }
            if span.kind == .apply { origin = "(its publication was not heard)" }
        }
        return Line(
            label: prefix + DisplayWidth.cut(DisplayWidth.harmless(label(span)), 60),
            service: DisplayWidth.cut(DisplayWidth.harmless(span.service), 24),
            hop: tree.hopUs(index).map { "+" + Latency.text(us: $0) } ?? "",
            duration: span.durationUs == 0 ? "" : Latency.text(us: span.durationUs),
            outcome: TraceOutcome(span),
            origin: origin,
            isRoot: node.parent == nil
        )
    }

    private static func label(_ span: TraceSpan) -> String {
        switch span.kind {
        case .handle: span.name
        case .commit: "commit"
        case .send: "send \(span.name)"
        case .publish: "publish \(span.name)"
        case .apply: "apply \(span.name)"
        case .drop: "drop \(span.name)"
        case .unknown: span.name
        }
    }

    private static func laidOut(_ lines: [Line], _ terminal: Terminal) -> [String] {
        func width(_ text: (Line) -> String) -> Int { lines.map { DisplayWidth.columns(text($0)) }.max() ?? 0 }
        let widths = (label: width(\.label), service: width(\.service), hop: width(\.hop), time: width(\.duration))
        return lines.map { line in
            let label = DisplayWidth.padded(line.label, widths.label)
            var text = line.isRoot ? terminal.styled(label, .bold) : label
            text += "  " + terminal.styled(DisplayWidth.padded(line.service, widths.service), .cyan)
            if widths.hop > 0 { text += "  " + terminal.styled(DisplayWidth.paddedLeft(line.hop, widths.hop), .dim) }
            text += "  " + DisplayWidth.paddedLeft(line.duration, widths.time)
            let outcome = line.outcome
            let word = DisplayWidth.harmless(outcome.word)
            if !word.isEmpty { text += "  " + (outcome.style.map { terminal.styled(word, $0) } ?? word) }
            if !line.origin.isEmpty { text += "  " + terminal.styled(line.origin, .dim) }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}
