import STContracts

/// Makes spans for stories that tests tell.
enum Spans {
    static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"

    static func make(
        _ kind: TraceSpan.Kind,
        name: String,
        service: String,
        id: String,
        parent: String? = nil,
        message: String = "m",
        cause: String? = nil,
        at startUs: Int64,
        for durationUs: Int64 = 0,
        outcome: String = "ok",
        trace: String = traceID
    ) -> TraceSpan {
        TraceSpan(
            service: service,
            kind: kind,
            name: name,
            messageId: message,
            cause: cause,
            trace: TraceContext(traceID: trace, spanID: id),
            parentId: parent,
            startUs: startUs,
            durationUs: durationUs,
            principal: kind == .handle ? "1000:4242" : nil,
            bytes: 100,
            outcome: outcome
        )
    }

    /// One observation: asked, committed, published, applied by the report service.
    static let observation: [TraceSpan] = [
        make(
            .handle,
            name: "usage.observe",
            service: "activity-center",
            id: "a1",
            parent: "caller",
            message: "r1",
            at: 1_000,
            for: 1_900
        ),
        make(
            .commit,
            name: "usage.observe",
            service: "activity-center",
            id: "a2",
            parent: "a1",
            message: "r1",
            at: 1_500,
            for: 800
        ),
        make(
            .publish,
            name: "usage.segment.closed",
            service: "activity-center",
            id: "a3",
            message: "e1",
            cause: "r1",
            at: 2_400
        ),
        make(
            .apply,
            name: "usage.segment.closed",
            service: "report-service",
            id: "b1",
            parent: "a3",
            message: "e1",
            cause: "r1",
            at: 2_800,
            for: 300
        ),
    ]
}
