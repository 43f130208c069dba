package import STContracts
import STDomain
import STEngine
import STFollowing

/// Events of other services that panels show. They are not stored, because they matter for only a minute.
package enum PanelNews: Sendable, Equatable {
    case asked(AuthQuestion)
    /// A notification in its current state.
    case posted(PostedNotification)
}

/// The streams that the agent follows: policy, facts and members for shields, questions and notifications for panels.
struct DesktopFollowing: Sendable {
    /// The language of app names. Names in other languages are dropped, because for thousands of apps they would be most of
    /// the stored data.
    let language: String
    let panels: @Sendable (PanelNews) -> Void
    /// Receives each change of policy before it is on the disk, so that a shield appears sooner. After a crash the stream
    /// delivers the change again.
    let policy: @Sendable (ShieldPolicy) -> Void

    var subscriptions: [Subscription<DesktopState>] { [words, facts, people, notifications] }

    private var words: Subscription<DesktopState> {
        Subscription(
            source: .shield,
            stream: .policy,
            reset: { state, change in
                state.policy.book = PolicyBook()
                try DesktopTables.clearWords(change.database)
            },
            apply: { state, event, change in
                switch event.header.type {
                case PolicyStoreChanged.type:
                    try Self.take(try event.decoded(PolicyStoreChanged.self), &state, change)
                case PolicyAllowedChanged.type:
                    let word = try event.decoded(PolicyAllowedChanged.self)
                    state.policy.book.apply(word)
                    let subject = "allowed/\(word.member)"
                    try DesktopTables.set(subject, PolicyAllowedChanged.type, word, change.database)
                case PolicyGrantChanged.type:
                    let word = try event.decoded(PolicyGrantChanged.self)
                    state.policy.book.apply(word)
                    let subject = "grant/\(word.request.request)"
                    guard word.request.state == .granted else {
                        return try DesktopTables.remove(word: subject, change.database)
                    }
                    try DesktopTables.set(subject, PolicyGrantChanged.type, word, change.database)
                default: return
                }
            },
            settled: { [policy] state, _ in policy(state.policy) }
        )
    }

    private static func take(_ word: PolicyStore, _ state: inout DesktopState, _ change: StoreTransaction)
        throws
    {
        state.policy.book.apply(word)
        let subject = "store/\(word.member)/\(word.app)/\(word.store)"
        guard word.isInForce else { return try DesktopTables.remove(word: subject, change.database) }
        // The event comes from a newer version and cannot be decoded: the previous policy remains, also after a restart.
        guard word.shields.shields != nil else { return }
        var kept = word
        kept.settings = [:]
        try DesktopTables.set(subject, PolicyStoreChanged.type, kept, change.database)
    }

    private var facts: Subscription<DesktopState> {
        Subscription(
            source: .activity,
            stream: .activity,
            reset: { state, change in try FactFollowing.forget(&state.policy.facts, change.database) },
            apply: { [language] state, event, change in
                _ = try FactFollowing.take(event, into: &state.policy.facts, change.database) {
                    Self.short($0, language)
                }
            },
            settled: { [policy] state, _ in policy(state.policy) }
        )
    }

    private static func short(_ facts: SubjectFacts, _ language: String) -> SubjectFacts {
        let general = String(language.prefix { $0 != "_" && $0 != "-" })
        var short = facts
        short.names = facts.names.filter { $0.key == language || $0.key == general }
        short.icon = nil
        short.list = nil
        return short
    }

    private var people: Subscription<DesktopState> {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in try state.policy.household.forget(change.database) },
            apply: { [panels] state, event, change in
                if event.header.type == AuthQuestionChanged.type {
                    panels(.asked(try event.decoded(AuthQuestionChanged.self)))
                }
                try state.policy.household.take(event, change.database)
            },
            settled: { [policy] state, _ in policy(state.policy) }
        )
    }

    private var notifications: Subscription<DesktopState> {
        Subscription(
            source: .notifier,
            stream: .notification,
            reset: { _, _ in },
            apply: { [panels] _, event, _ in
                guard [NotificationPosted.type, NotificationChanged.type].contains(event.header.type) else {
                    return
                }
                panels(.posted(try event.decoded(NotificationPosted.self)))
            }
        )
    }
}
