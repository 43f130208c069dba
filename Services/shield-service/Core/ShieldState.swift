package import STContracts
package import STDomain
package import STFollowing
package import STPlatform

/// What shield-service knows, one book for each topic.
package struct ShieldState: Sendable, Equatable {
    package var household = Household()
    package var apps = AppBook()
    package var facts = FactBook()
    /// Every store there is, in force or not.
    package var stores: [StoreName: NamedStore] = [:]
    /// The size of all stores together.
    package var storeBytes = 0
    /// What is in force, and the number of the last change.
    package var policy = PolicyBook()
    /// What is always allowed to each member, as it was set.
    package var allowed: [String: [TokenItem]] = [:]
    /// The stores of rules that the snapshot has not contained so far, during a rebuild of the stream of decisions.
    ///
    /// An empty store name means the always-allowed list of the member.
    var unconfirmed: Set<StoreName> = []
    package var changes = ChangeLogSize()
    package var requests = RequestBook()
    /// How the requests of members are answered on all machines of the household.
    package var agreed = AgreedSettings()

    package init() {}

    /// Whether and why something is shielded now, with the category that it counts as.
    package func decide(_ subject: ShieldSubject, member: String, wallMs: Int64) -> (
        category: String, decision: ShieldDecision
    ) {
        let thing = facts.thing(subject)
        let decision = policy.decide(thing, member: member, wallMs: wallMs)
        return (thing.domainCategory ?? thing.category ?? Category.other.rawValue, decision)
    }

    /// What would lift a shield, or why there is none.
    package func lifts(_ decision: ShieldDecision) -> [Message] {
        ShieldLifts.sentences(
            decision,
            rules: BuiltInRules.app,
            named: { apps.installed[$0]?.name ?? $0 },
            rule: { note(of: $0)?.rule ?? $0.store }
        )
    }

    /// The note that a rule put on its store; nil for a store of an app.
    func note(of store: StoreName) -> ShieldNote? {
        guard case .note(let note)? = stores[store]?.values[.note] else { return nil }
        return note
    }

    /// What is decided about a subject now, with what showing its shield needs to know.
    func verdict(of subject: ShieldSubject, member: String?, _ now: TimeReading, zone: String) throws
        -> ShieldVerdict
    {
        let member = try household.member(member)
        let (category, decision) = decide(subject, member: member, wallMs: now.wallMs)
        // A cause that does not shield the app by itself is about the site open in it.
        let ofApp = subject.app.map { app in
            decide(ShieldSubject(app: app), member: member, wallMs: now.wallMs).decision.causes
        }
        return ShieldVerdict(
            member: member,
            policy: policy.number,
            decision: ShieldDecisionBody(decision),
            causes: decision.causes.map(ShieldCauseBody.init),
            category: category,
            isSite: decision.causes.map { !(ofApp ?? []).contains($0) },
            versions: decision.causes.map { stores[$0.store]?.version ?? 0 },
            notes: decision.causes.map { note(of: $0.store) },
            waiting: requests.waiting(of: member).filter {
                // A request without items is for everything.
                $0.items.allSatisfy(ShieldTarget(subject).items.contains)
            }
            .max { $0.number < $1.number },
            offers: offers(of: subject, member, now.wallMs, zone),
            facts: subject.app.flatMap { facts.facts(app: $0) },
            siteFacts: subject.domain.flatMap { facts.facts(domain: $0) },
            wallMs: now.wallMs,
            zone: zone
        )
    }
}

extension ShieldState {
    /// As much as may be granted: a guardian grants what they like, a person's own rule what it says.
    private func offers(of subject: ShieldSubject, _ member: String, _ nowMs: Int64, _ zone: String)
        -> [MoreOffer]
    {
        let isChild = household.role(of: member) == .child
        let rule = requests.rule(of: member, isChild: isChild)
        let isAsked = isChild || household.hasGuardian(besides: member) || rule.aDay == 0
        var offers: [MoreOffer] = [.quarter, .hour, .day].filter {
            isAsked || $0.durationMs(nowMs: nowMs, zone: zone) <= rule.mostMs
        }
        if requests.hasMinute(
            member,
            ShieldTarget(subject).items,
            day: LocalDay(zone: zone).day(ofWallMs: nowMs).text
        ) {
            offers.insert(.minute, at: 0)
        }
        return offers.count > 1 ? offers : []
    }
}

/// What is decided about one subject, with what showing its shield needs to know.
struct ShieldVerdict: Sendable, Equatable {
    var member: String
    var policy: Int64
    /// For events and replies: it names the first of many causes.
    var decision: ShieldDecisionBody
    /// All causes, in the decision's order.
    var causes: [ShieldCauseBody]
    /// The category of what is in front: of the site where there is one, else of the app.
    var category: String
    /// For each cause, whether it is about the site and not about the app.
    var isSite: [Bool]
    /// For each cause, the version of its store.
    var versions: [Int64]
    /// For each cause, the note of its rule; nil for a store of an app.
    var notes: [ShieldNote?]
    /// More time that was asked for and is not granted yet.
    var waiting: MoreTime?
    /// What can be asked for; fewer than two make no menu.
    var offers: [MoreOffer]
    var facts: SubjectFacts?
    var siteFacts: SubjectFacts?
    /// The moment of the decision, and the zone of this computer then.
    var wallMs: Int64
    var zone: String

    /// It does not open before then by itself; nil where one of the causes does not say when it opens.
    var opensMs: Int64? { ShieldNote.opensMs(notes) }

    /// As people call the app; never nil, as on a phone.
    func appName(_ app: String, _ language: String) -> String { Self.name(facts, language) ?? app }

    /// The app's own picture, where desktop-agent has found one that can be drawn.
    var icon: ShieldIcon? {
        guard let path = facts?.icon, path.hasPrefix("/"), [".png", ".svg"].contains(where: path.hasSuffix)
        else {
            return nil
        }
        return ShieldIcon(kind: .file, name: path)
    }

    func siteName(_ domain: String, _ language: String) -> String {
        // A name for the whole is not a name for its parts.
        guard siteFacts?.subject == FactBook.sitePrefix + domain else { return domain }
        return Self.name(siteFacts, language) ?? domain
    }

    /// In the language itself, or in the one it is a kind of.
    private static func name(_ facts: SubjectFacts?, _ language: String) -> String? {
        guard let facts else { return nil }
        let general = String(language.prefix { $0 != "_" && $0 != "-" })
        return facts.names[language] ?? facts.names[general] ?? facts.name
    }
}
