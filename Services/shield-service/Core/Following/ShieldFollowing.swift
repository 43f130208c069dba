import STContracts
import STEngine

/// What the streams of other services do here.
enum ShieldFollowing {
    static let authorization = Subscription<ShieldState>(
        source: .auth,
        stream: .authorization,
        reset: { _, _ in },
        apply: { _, _, _ in }
    )

    static let facts = Subscription<ShieldState>(
        source: .activity,
        stream: .activity,
        reset: { state, change in
            state.facts = FactBook()
            try FactTable.clear(change.database)
        },
        apply: { state, event, change in
            guard event.header.type == SubjectKnown.type else { return }
            let facts = try event.decoded(SubjectKnown.self)
            state.facts.known[facts.subject] = facts
            try FactTable.set(facts, change.database)
        }
    )
}
