package import STContracts
import STDomain
import STEngine
import STFollowing

/// Events of other services that panels show. They are not stored, because they matter for only a minute.
package enum PanelEvent: Sendable, Equatable {
    case asked(AuthQuestion)
    /// A notification in its current state.
    case posted(PostedNotification)
}

/// The streams that the agent follows: policy, facts and members for shields, questions and notifications for panels.
struct DesktopSubscriptions: Sendable {
    /// The language of app names. Names in other languages are dropped, because for thousands of apps they would be most of
    /// the stored data.
    let language: String
    let onPanelEvent: @Sendable (PanelEvent) -> Void
    /// Receives each change of policy before it is on the disk, so that a shield appears sooner. After a crash the stream
    /// delivers the change again.
    let onPolicyChange: @Sendable (ShieldPolicy) -> Void

    var subscriptions: [Subscription<DesktopState>] {
        [policyStores, subjectFacts, household, notifications]
    }

    private var policyStores: Subscription<DesktopState> {
        Subscription(
            source: .shield,
            stream: .policy,
            reset: { state, change in
                state.policy.policies = Policies()
                try DesktopTables.clearPolicyStores(change.database)
            },
            apply: { state, event, change in
                switch event.header.type {
                case PolicyStoreChanged.type:
                    try Self.take(try event.decoded(PolicyStoreChanged.self), state: &state, change: change)
                case PolicyAllowedChanged.type:
                    let word = try event.decoded(PolicyAllowedChanged.self)
                    state.policy.policies.apply(word)
                    let subject = "allowed/\(word.member)"
                    try DesktopTables.set(
                        subject,
                        type: PolicyAllowedChanged.type,
                        body: word,
                        database: change.database
                    )
                case PolicyGrantChanged.type:
                    let word = try event.decoded(PolicyGrantChanged.self)
                    state.policy.policies.apply(word)
                    let subject = "grant/\(word.request.request)"
                    guard word.request.state == .granted else {
                        return try DesktopTables.removePolicyStore(word: subject, change.database)
                    }
                    try DesktopTables.set(
                        subject,
                        type: PolicyGrantChanged.type,
                        body: word,
                        database: change.database
                    )
                default: return
                }
            },
            settled: { [onPolicyChange] state, _ in onPolicyChange(state.policy) }
        )
    }

    private static func take(_ word: PolicyStore, state: inout DesktopState, change: StoreTransaction)
        throws
    {
        state.policy.policies.apply(word)
        let subject = "store/\(word.member)/\(word.app)/\(word.store)"
        guard word.isInForce else {
            return try DesktopTables.removePolicyStore(word: subject, change.database)
        }
        // The event comes from a newer version and cannot be decoded: the previous policy remains, also after a restart.
        guard word.shields.shields != nil else { return }
        var kept = word
        kept.settings = [:]
        try DesktopTables.set(subject, type: PolicyStoreChanged.type, body: kept, database: change.database)
    }

    private var subjectFacts: Subscription<DesktopState> {
        Subscription(
            source: .activity,
            stream: .activity,
            reset: { state, change in try SubjectFactStore.removeAll(&state.policy.facts, change.database) },
            apply: { [language] state, event, change in
                _ = try SubjectFactStore.apply(event, into: &state.policy.facts, change.database) {
                    Self.localized($0, language)
                }
            },
            settled: { [onPolicyChange] state, _ in onPolicyChange(state.policy) }
        )
    }

    private static func localized(_ facts: SubjectFacts, _ language: String) -> SubjectFacts {
        let general = String(language.prefix { $0 != "_" && $0 != "-" })
        var short = facts
        short.names = facts.names.filter { $0.key == language || $0.key == general }
        short.icon = nil
        short.list = nil
        return short
    }

    private var household: Subscription<DesktopState> {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in try state.policy.household.removeAll(change.database) },
            apply: { [onPanelEvent] state, event, change in
                if event.header.type == AuthQuestionChanged.type {
                    onPanelEvent(.asked(try event.decoded(AuthQuestionChanged.self)))
                }
                try state.policy.household.apply(event, change.database)
            },
            settled: { [onPolicyChange] state, _ in onPolicyChange(state.policy) }
        )
    }

    private var notifications: Subscription<DesktopState> {
        Subscription(
            source: .notifier,
            stream: .notification,
            reset: { _, _ in },
            apply: { [onPanelEvent] _, event, _ in
                guard [NotificationPosted.type, NotificationChanged.type].contains(event.header.type) else {
                    return
                }
                onPanelEvent(.posted(try event.decoded(NotificationPosted.self)))
            }
        )
    }
}
