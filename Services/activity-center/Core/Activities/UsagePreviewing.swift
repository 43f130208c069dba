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
        // Of several members the one who is told of first may not be the one for whom something comes true first.
        var found = UsagePreview.Reply(dueBootMs: nil, member: nil)
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
                let bootMs = first.dueBootMs ?? seen.bootMs
                if bootMs < found.dueBootMs ?? .max {
                    found = UsagePreview.Reply(dueBootMs: bootMs, member: first.key.member)
                }
            }
        }
        return found
    }
}
