import STContracts
import STDomain
import STEngine

/// What other services say that decides about shields.
struct PolicyFollowing: Sendable {
    /// As many apps and sites as shield-service keeps.
    private static let factsMax = 50_000

    /// Names in other languages are left out: of thousands of apps that would be most of what is kept.
    let language: String
    /// Who wants to hear of the same stream of people: each is followed once.
    let alsoOfPeople: @Sendable (WireEvent) throws -> Void
    /// Called before what was told is on the disk: a shield does not wait for that, and after a crash all is told again.
    let heard: @Sendable (ShieldPolicy) -> Void

    var subscriptions: [Subscription<DesktopState>] { [policy, facts, people] }

    private var policy: Subscription<DesktopState> {
        Subscription(
            source: .shield,
            stream: .policy,
            reset: { state, change in
                state.policy.book = PolicyBook()
                try PolicyTable.clear(words: change.database)
            },
            apply: { state, event, change in
                switch event.header.type {
                case PolicyStoreChanged.type:
                    try Self.take(try event.decoded(PolicyStoreChanged.self), &state, change)
                case PolicyAllowedChanged.type:
                    let word = try event.decoded(PolicyAllowedChanged.self)
                    state.policy.book.apply(word)
                    let subject = "allowed/\(word.member)"
                    try PolicyTable.set(subject, PolicyAllowedChanged.type, word, change.database)
                case PolicyGrantChanged.type:
                    let word = try event.decoded(PolicyGrantChanged.self)
                    state.policy.book.apply(word)
                    let subject = "grant/\(word.request.request)"
                    guard word.request.state == .granted else {
                        return try PolicyTable.remove(subject, change.database)
                    }
                    try PolicyTable.set(subject, PolicyGrantChanged.type, word, change.database)
                default: return
                }
            },
            settled: { [heard] state, _ in heard(state.policy) }
        )
    }

    private static func take(_ word: PolicyStore, _ state: inout DesktopState, _ change: StoreTransaction)
        throws
    {
        state.policy.book.apply(word)
        let subject = "store/\(word.member)/\(word.app)/\(word.store)"
        guard word.isInForce else { return try PolicyTable.remove(subject, change.database) }
        // Of a newer version, and not understood: what held before goes on, also after a start.
        guard word.shields.shields != nil else { return }
        var kept = word
        kept.settings = [:]
        try PolicyTable.set(subject, PolicyStoreChanged.type, kept, change.database)
    }

    private var facts: Subscription<DesktopState> {
        Subscription(
            source: .activity,
            stream: .activity,
            reset: { state, change in
                state.policy.facts = FactBook()
                try PolicyTable.clear(facts: change.database)
            },
            apply: { [language] state, event, change in
                switch event.header.type {
                case DomainListKnown.type:
                    let part = try event.decoded(DomainListKnown.self)
                    state.policy.facts.take(part)
                    try PolicyTable.set(part, change.database)
                case SubjectKnown.type:
                    let facts = Self.short(try event.decoded(SubjectKnown.self), language)
                    let known = state.policy.facts.known
                    guard known[FactBook.key(facts.subject)] != nil || known.count < Self.factsMax else {
                        return
                    }
                    state.policy.facts.take(facts)
                    try PolicyTable.set(facts, change.database)
                default: return
                }
            },
            settled: { [heard] state, _ in heard(state.policy) }
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
            reset: { state, change in
                state.policy.people = ScreenPeople()
                try PolicyTable.clear(people: change.database)
            },
            apply: { [alsoOfPeople] state, event, change in
                try alsoOfPeople(event)
                guard event.header.type == MemberAdded.type else { return }
                let member = try event.decoded(MemberAdded.self)
                if state.policy.people.add(member) { try PolicyTable.add(member, change.database) }
            },
            settled: { [heard] state, _ in heard(state.policy) }
        )
    }
}
