import STContracts
import STPlatform

/// A story as lines: the tree at the left, then who, how long, and how it went.
package enum TraceText {
    private struct Line {
        var label: String
        var service: String
        var hop: String
        var duration: String
        var outcome: TraceOutcome?
        var origin: String
        var isRoot: Bool
    }

    private struct Step {
        var index: Int
        /// How many steps this one line stands for; 0 for a step that is shown.
        var folded: Int
        var prefix: String
        var childPrefix: String
    }

    package static func lines(_ story: TraceStory, _ terminal: Terminal) -> [String] {
        let tree = story.tree
        var lines: [Line] = []
        let fold = TraceFold(tree)
        for root in tree.roots { append(root, tree, fold, to: &lines) }
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
        _ folded: TraceFold,
        to lines: inout [Line]
    ) {
        var stack = [Step(index: root, folded: 0, prefix: "", childPrefix: "")]
        while let step = stack.popLast() {
            let (index, childPrefix) = (step.index, step.childPrefix)
            if step.folded > 0 {
                lines.append(fold(step))
                continue
            }
            lines.append(line(index, tree, step.prefix))
            let children = folded.children(of: index, tree)
            for (position, child) in children.enumerated().reversed() {
                let isLast = position == children.count - 1
                let next = Step(
                    index: child.index,
                    folded: child.more,
                    prefix: childPrefix + (isLast ? "└─ " : "├─ "),
                    childPrefix: childPrefix + (isLast ? "   " : "│  ")
                )
                stack.append(next)
            }
        }
    }

    private static func fold(_ step: Step) -> Line {
        Line(
            label: step.prefix + "… \(step.folded) more like these",
            service: "",
            hop: "",
            duration: "",
            outcome: nil,
            origin: "",
            isRoot: false
        )
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
        func width(_ text: (Line) -> String) -> Int {
            lines.map { DisplayWidth.columns(text($0)) }.max() ?? 0
        }
        // At least so wide that short stories line up with each other.
        let widths = (
            label: max(26, width(\.label)), service: max(15, width(\.service)), hop: width(\.hop),
            time: max(6, width(\.duration))
        )
        return lines.map { line in
            let label = DisplayWidth.padded(line.label, widths.label)
            var text = line.isRoot ? terminal.styled(label, .bold) : label
            text += "  " + terminal.styled(DisplayWidth.padded(line.service, widths.service), .cyan)
            if widths.hop > 0 {
                text += "  " + terminal.styled(DisplayWidth.paddedLeft(line.hop, widths.hop), .dim)
            }
            text += "  " + DisplayWidth.paddedLeft(line.duration, widths.time)
            if let outcome = line.outcome, !outcome.word.isEmpty {
                let word = DisplayWidth.harmless(outcome.word)
                text += "  " + (outcome.style.map { terminal.styled(word, $0) } ?? word)
            }
            if !line.origin.isEmpty { text += "  " + terminal.styled(line.origin, .dim) }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}
