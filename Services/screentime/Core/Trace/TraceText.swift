import STContracts
import STPlatform

/// Formats a trace: the tree at the left, then the service, the duration and the outcome.
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
        /// The number of steps that this line represents, or 0 for a step that is shown.
        var folded: Int
        var prefix: String
        var childPrefix: String
    }

    package static func lines(_ story: CollectedTrace, _ terminal: Terminal) -> [String] {
        let tree = story.tree
        var lines: [Line] = []
        let fold = TraceFold(tree)
        for root in tree.roots { append(root, tree: tree, folded: fold, to: &lines) }
        if story.isContinued, !lines.isEmpty {
            lines[0].origin += "  " + Speech.say("trace.later-steps", "(later steps of the same trace)")
        }
        if !lines.isEmpty {
            lines[0].origin += "  " + DisplayWidth.sanitized(String(story.traceId.prefix(8)))
        }
        var texts = aligned(lines, terminal)
        if story.missing > 0 {
            let more = Speech.say(
                "trace.more-steps",
                count: story.missing,
                one: "… and \(story.missing, "count") more step",
                other: "… and \(story.missing, "count") more steps"
            )
            texts.append("   " + more)
        }
        return texts
    }

    /// Adds the lines of a tree. The stack is explicit, because the senders of spans determine the depth of a trace.
    private static func append(
        _ root: Int,
        tree: TraceTree,
        folded: TraceFold,
        to lines: inout [Line]
    ) {
        var stack = [Step(index: root, folded: 0, prefix: "", childPrefix: "")]
        while let step = stack.popLast() {
            let (index, childPrefix) = (step.index, step.childPrefix)
            if step.folded > 0 {
                lines.append(fold(step))
                continue
            }
            lines.append(line(index, tree: tree, prefix: step.prefix))
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
            label: step.prefix + Speech.say("trace.more-alike", "… \(step.folded, "count") more like these"),
            service: "",
            hop: "",
            duration: "",
            outcome: nil,
            origin: "",
            isRoot: false
        )
    }

    private static func line(_ index: Int, tree: TraceTree, prefix: String) -> Line {
        let node = tree.nodes[index]
        let span = node.span
        var origin = ""
        if node.parent == nil {
            if let principal = span.principal { origin = "← \(DisplayWidth.sanitized(principal))" }
            if span.kind == .apply {
                origin = Speech.say("trace.start-not-received", "(the start of this trace was not received)")
            }
        }
        return Line(
            label: prefix + DisplayWidth.truncated(DisplayWidth.sanitized(label(span)), 60),
            service: DisplayWidth.truncated(DisplayWidth.sanitized(span.service), 24),
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

    private static func aligned(_ lines: [Line], _ terminal: Terminal) -> [String] {
        func width(_ text: (Line) -> String) -> Int {
            lines.map { DisplayWidth.columns(text($0)) }.max() ?? 0
        }
        // A minimum width aligns short traces with each other.
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
                let word = DisplayWidth.sanitized(outcome.word)
                text += "  " + (outcome.style.map { terminal.styled(word, $0) } ?? word)
            }
            if !line.origin.isEmpty { text += "  " + terminal.styled(line.origin, .dim) }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}

/// The steps of a trace that are shown.
///
/// A batch can publish hundreds of events. After the first few that succeeded, the others show nothing new. A failed step is
/// always shown.
struct TraceFold {
    /// A fifth step needs one line, as its folding would.
    private static let shownAlike = 4

    struct Child {
        var index: Int
        var more: Int
    }

    /// The shape of each node's subtree. Equal shapes look the same. `nil` if a step in the subtree failed.
    private var shapes: [String?]

    init(_ tree: TraceTree) {
        shapes = Array(repeating: nil, count: tree.nodes.count)
        var order = tree.roots
        var next = 0
        while next < order.count {
            order += tree.nodes[order[next]].children
            next += 1
        }
        for index in order.reversed() {
            let node = tree.nodes[index]
            guard node.span.outcome == "ok", node.span.kind != .drop else { continue }
            let inner = node.children.map { shapes[$0] }
            guard !inner.contains(nil) else { continue }
            let parts = inner.compactMap { $0 }.joined(separator: ",")
            // Longer subtrees are rarely equal, and their text would only use memory.
            guard parts.utf8.count < 2_000 else { continue }
            shapes[index] = "\(node.span.kind.rawValue) \(node.span.name) \(node.span.service)(\(parts))"
        }
    }

    func children(of index: Int, _ tree: TraceTree) -> [Child] {
        var result: [Child] = []
        var shown: [String: Int] = [:]
        var hidden = 0
        for child in tree.nodes[index].children {
            guard let shape = shapes[child] else {
                result.append(Child(index: child, more: 0))
                continue
            }
            shown[shape, default: 0] += 1
            if shown[shape, default: 0] <= Self.shownAlike {
                result.append(Child(index: child, more: 0))
            } else {
                hidden += 1
            }
        }
        if hidden > 0 { result.append(Child(index: index, more: hidden)) }
        return result
    }
}

/// A span's outcome as a word, with a colour for success, attention or failure.
struct TraceOutcome {
    var word: String
    var style: Terminal.Style?

    init(_ span: TraceSpan) {
        switch span.outcome {
        case "ok":
            // Only a commit or a publication that succeeded has a span.
            word = span.kind == .commit || span.kind == .publish ? "" : "ok"
            style = .green
        case "caught_up":
            word = "caught up from the log"
            style = .yellow
        case "duplicate":
            word = span.kind == .handle ? "retry, answered as before" : "duplicate"
            style = .red
        case "retry":
            word = "retry"
            style = .red
        case "gap":
            word = "gap"
            style = .red
        case "deadline.exceeded", "expired":
            word = "expired"
            style = .red
        case "access.denied":
            word = "refused: access.denied"
            style = .red
        default:
            word = span.outcome
            style = .red
        }
        if span.kind == .drop, span.outcome == "ok" { word = "dropped" }
    }
}

/// Formats durations of the bus, from microseconds to seconds.
enum Latency {
    /// Returns `0.4ms`, `31ms` or `1.25s`. Durations below a tenth of a millisecond are in microseconds.
    static func text(us: Int64) -> String {
        let sign = us < 0 ? "-" : ""
        let size = us.magnitude
        if size == 0 { return "0ms" }
        if size < 100 { return "\(sign)\(size)µs" }
        if size < 10_000 { return "\(sign)\(size / 1000).\(size % 1000 / 100)ms" }
        if size < 1_000_000 { return "\(sign)\(size / 1000)ms" }
        return "\(sign)\(size / 1_000_000).\(size % 1_000_000 / 100_000)s"
    }
}
