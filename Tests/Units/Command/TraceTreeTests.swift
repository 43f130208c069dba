import STCommandCore
import STContracts
import Testing

@Suite("The causal tree of a story")
struct TraceTreeTests {
    private let plain = Terminal(isTerminal: false, isColoured: false, columns: 100)

    @Test("one observation is one tree: asked, committed, published, applied")
    func observation() {
        let tree = TraceTree(Spans.observation)

        #expect(tree.roots.count == 1)
        #expect(
            shape(tree) == [
                "usage.observe/-", "usage.observe/a1", "usage.segment.closed/a1", "usage.segment.closed/a3",
            ]
        )
    }

    @Test("the order in which spans arrive changes nothing", arguments: 0..<24)
    func anyOrder(seed: Int) {
        var left = Spans.observation
        var spans: [TraceSpan] = []
        var rest = seed
        while !left.isEmpty {
            spans.append(left.remove(at: rest % left.count))
            rest /= left.count + 1
        }

        #expect(shape(TraceTree(spans)) == shape(TraceTree(Spans.observation)))
    }

    @Test("a step whose parent was never heard begins a tree of its own")
    func missingParent() {
        let other = Spans.make(
            .handle,
            name: "health.ping",
            service: "notifier",
            id: "c1",
            message: "r2",
            at: 500
        )
        let spans = [other, Spans.observation[3]]

        let tree = TraceTree(spans)

        #expect(tree.roots.count == 2)
        let text = TraceText.lines(CollectedTrace(traceId: Spans.traceID, spans: spans), plain).joined(
            separator: "\n"
        )
        #expect(text.contains("the start of this trace was not received"))
    }

    @Test("an applied event whose publication was not heard hangs under the request that caused it")
    func missingPublication() {
        let tree = TraceTree([Spans.observation[0], Spans.observation[3]])

        #expect(shape(tree) == ["usage.observe/-", "usage.segment.closed/a1"])
    }

    @Test("without a parent id an applied event hangs under the publishing of the same message")
    func byMessage() {
        var spans = Spans.observation
        spans[3].parentId = nil

        #expect(shape(TraceTree(spans)) == shape(TraceTree(Spans.observation)))
    }

    @Test("what an applied event causes hangs under the applying")
    func chain() {
        var spans = Spans.observation
        spans.append(
            Spans.make(
                .publish,
                name: "policy.settings.changed",
                service: "report-service",
                id: "b2",
                message: "e2",
                cause: "e1",
                at: 3_000
            )
        )

        let tree = TraceTree(spans)

        let last = tree.nodes.first { $0.span.spanId == "b2" }
        #expect(last?.parent.map { tree.nodes[$0].span.spanId } == "b1")
    }

    @Test("a publication belongs to the handling that did the work, not to its repeat")
    func repeats() {
        var spans = Spans.observation
        spans.append(
            Spans.make(
                .handle,
                name: "usage.observe",
                service: "activity-center",
                id: "a9",
                message: "r1",
                at: 2_390,
                for: 50,
                outcome: "duplicate"
            )
        )

        let tree = TraceTree(spans)

        let publish = tree.nodes.first { $0.span.spanId == "a3" }
        #expect(publish?.parent.map { tree.nodes[$0].span.spanId } == "a1")
    }

    @Test("spans that name each other in a circle are shown and do not hang")
    func circle() {
        let spans = [
            Spans.make(.handle, name: "a", service: "notifier", id: "x", parent: "y", message: "1", at: 1),
            Spans.make(.handle, name: "b", service: "notifier", id: "y", parent: "x", message: "2", at: 2),
            Spans.make(.handle, name: "c", service: "notifier", id: "z", parent: "z", message: "3", at: 3),
        ]

        let tree = TraceTree(spans)

        #expect(tree.nodes.count == 3)
        #expect(tree.roots.count == 2)
    }

    @Test("a hop is the time from the end of the parent to the start in another process")
    func hops() {
        let tree = TraceTree(Spans.observation)

        let hops = tree.nodes.indices.map { tree.hopUs($0) }

        #expect(hops == [nil, nil, nil, 400])
    }

    @Test("gaps, refusals, repeats and expired deadlines are named and red")
    func outcomes() {
        let terminal = Terminal(isTerminal: true, isColoured: true, columns: 100)
        let cases: [(TraceSpan.Kind, String, String)] = [
            (.drop, "gap", "gap"), (.handle, "duplicate", "retry"), (.drop, "duplicate", "duplicate"),
            (.handle, "deadline.exceeded", "expired"), (.drop, "access.denied", "refused"),
            (.handle, "body.invalid", "body.invalid"),
        ]
        for (kind, outcome, word) in cases {
            let span = Spans.make(
                kind,
                name: "usage.observe",
                service: "activity-center",
                id: "a",
                at: 1,
                outcome: outcome
            )
            let text = TraceText.lines(CollectedTrace(traceId: Spans.traceID, spans: [span]), terminal)
                .joined()
            #expect(text.contains("\u{1B}[31m\(word)"), "\(outcome): \(text)")
        }
    }

    @Test("the lines of a story line up and draw the tree")
    func text() {
        let lines = TraceText.lines(CollectedTrace(traceId: Spans.traceID, spans: Spans.observation), plain)

        #expect(
            lines == [
                "usage.observe                     activity-center           1.9ms  ok  ← 1000:4242  4bf92f35",
                "├─ commit                         activity-center           0.8ms",
                "└─ publish usage.segment.closed   activity-center",
                "   └─ apply usage.segment.closed  report-service   +0.4ms   0.3ms  ok",
            ]
        )
    }

    @Test("steps that are alike are folded, and what went wrong among them is not")
    func folded() {
        var spans = [Spans.observation[0]]
        for number in 0..<20 {
            spans.append(
                Spans.make(
                    .publish,
                    name: "usage.segment.closed",
                    service: "activity-center",
                    id: "p\(number)",
                    message: "e\(number)",
                    cause: "r1",
                    at: 2_000 + Int64(number)
                )
            )
        }
        spans.append(
            Spans.make(
                .drop,
                name: "usage.segment.closed",
                service: "report-service",
                id: "d",
                parent: "p15",
                at: 3_000,
                outcome: "duplicate"
            )
        )

        let lines = TraceText.lines(CollectedTrace(traceId: Spans.traceID, spans: spans), plain)

        #expect(lines.count == 1 + 4 + 2 + 1)
        #expect(lines.contains { $0.contains("15 more like these") })
        #expect(lines.contains { $0.contains("drop usage.segment.closed") })
    }

    @Test("text from outside cannot move the cursor")
    func harmless() {
        let span = Spans.make(
            .handle,
            name: "a\u{1B}[2Jb",
            service: "notifier\n",
            id: "a",
            at: 1,
            outcome: "x\u{7}"
        )

        let text = TraceText.lines(CollectedTrace(traceId: Spans.traceID, spans: [span]), plain).joined()

        #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    }

    private func shape(_ tree: TraceTree) -> [String] {
        tree.nodes.map { node in "\(node.span.name)/\(node.parent.map { tree.nodes[$0].span.spanId } ?? "-")"
        }
    }
}
