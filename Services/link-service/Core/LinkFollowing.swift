import STContracts
import STEngine
import STFollowing
import STPlatform

/// The streams that link-service follows: the members of this machine, its usage, its requests for more time, and changes of rules
/// and settings.
enum LinkFollowing {
    static let all: [Subscription<LinkServiceState>] = [.members(\.household), usage, requests] + rules

    /// Events of this stream only wake the companion, which reads the stream from the household's cursor.
    private static let usage = Subscription<LinkServiceState>(
        source: .activity,
        stream: .usage,
        // A new ledger may lack usage of other machines, so this machine requests all of it again.
        reset: { state, change in
            try state.updateMembership(change.database) { $0.read = [:] }
        },
        apply: { _, _, _ in }
    )

    /// Stores requests that only a guardian can answer, for the guardian's other machines.
    private static let requests = Subscription<LinkServiceState>(
        source: .shield,
        stream: .shield,
        reset: { state, _ in state.countRequestChange() },
        apply: { state, event, change in
            guard event.header.type == RequestChanged.type else { return }
            state.countRequestChange()
            guard state.membership?.isAsking == false,
                change.now.wallMs - event.header.timeMs < HouseholdPost.lastsMsMax
            else { return }
            let news = try event.decoded(RequestChanged.self)
            guard news.request.grantsAt == nil, news.request.answeredBy != RequestView.ownRule,
                news.request.device == nil
            else { return }
            try state.add(news, change.database)
        }
    )

    /// Signals a change of rules or of settings that are the same on all machines.
    private static let rules = [
        changes(.activity, [.category, .delay, .rule]), changes(.shield, [.request]),
    ]

    private static func changes(_ source: ServiceName, _ kinds: Set<HistoryKind>) -> Subscription<
        LinkServiceState
    > {
        Subscription(
            source: source,
            stream: .history(of: source),
            reset: { state, _ in state.countRuleChange() },
            apply: { state, event, _ in
                if kinds.contains(try HistoryLine.decodedBody(event.body).what) { state.countRuleChange() }
            }
        )
    }
}
