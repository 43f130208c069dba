import STContracts
import STPlatform

/// What observations would make come true, without taking them.
enum UsagePreviewing {
    static func preview(
        _ request: UsagePreview.Request,
        _ state: ActivityState,
        home: String
    ) throws -> UsagePreview.Reply {
        guard request.observations.count <= UsageObserve.batchMax else {
            throw Problem(
                "usage.bad_batch",
                "A request carries at most \(UsageObserve.batchMax) observations.",
                field: "/observations"
            )
        }
        var timelines = state.timelines
        var book = state.book
        let categories = LedgerSeam.categories(state)
        for seen in request.observations {
            let words = AgentWords(agent: request.agent, run: request.run, seen: seen)
            let news = try timelines[seen.member, default: Timeline()]
                .take(words, home: home, category: categories)
            for output in news.outputs {
                let due: [DueOccurrence]
                switch output {
                case .passed(let stretch, _): due = book.count(stretch)
                case .opened(let open), .grown(let open):
                    due = book.use(Stretch(open, fromBootMs: open.endBootMs, toBootMs: open.endBootMs))
                case .closed: due = []
                }
                guard let first = due.first else { continue }
                return UsagePreview.Reply(
                    dueBootMs: first.dueBootMs ?? seen.bootMs,
                    member: first.key.member
                )
            }
        }
        return UsagePreview.Reply(dueBootMs: nil, member: nil)
    }
}
