import STCommandCore
import STContracts
import Testing

@Suite("The causal tree of a story")
struct TraceTreeTests {
    private let plain = Terminal(isTerminal: false, isColoured: false, columns: 100)

    @Test("The handle, commit, publish and apply spans of an observation form one tree")
    func observation() {
        let tree = TraceTree(Spans.observation)

        #expect(tree.roots.count == 1)
        #expect(
            shape(tree) == [
                "usage.observe/-", "usage.observe/a1", "usage.segment.closed/a1", "usage.segment.closed/a3",
            ]
        )
    }

    @Test("The tree does not depend on the order in which spans arrive", arguments: 0..<24)
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

    @Test("A span whose parent was not received is the root of its own tree, and the output reports this")
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

    @Test("An applied event without a received publication is a child of the request that caused it")
    func missingPublication() {
        let tree = TraceTree([Spans.observation[0], Spans.observation[3]])

        #expect(shape(tree) == ["usage.observe/-", "usage.segment.closed/a1"])
    }

    @Test("An applied event without a parent id is a child of the publication of the same message")
    func byMessage() {
        var spans = Spans.observation
        spans[3].parentId = nil

        #expect(shape(TraceTree(spans)) == shape(TraceTree(Spans.observation)))
    }

    @Test("A publication that an applied event causes is a child of that event")
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

    @Test("A publication is a child of the request that was handled, not of its duplicate")
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

    @Test("Each circle of parent spans has one root, and all its spans are in the tree")
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

    @Test("A hop is the time from the end of the parent to the start of a span in another process")
    func hops() {
        let tree = TraceTree(Spans.observation)

        let hops = tree.nodes.indices.map { tree.hopUs($0) }

        #expect(hops == [nil, nil, nil, 400])
    }

    @Test("Gaps, retries, duplicates, expired deadlines and refusals are printed as words in red")
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

    @Test("The lines of a trace are aligned and draw its tree")
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

    @Test("Similar spans are folded into one line, and a dropped event among them is shown")
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

    @Test("Control characters in a span are not printed")
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
