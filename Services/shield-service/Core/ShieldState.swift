package import STContracts
package import STDomain
package import STFollowing
package import STPlatform

/// The state of shield-service, with one property for each topic.
package struct ShieldState: Sendable, Equatable {
    package var household = Household()
    package var apps = ShieldApps()
    package var facts = SubjectFactIndex()
    /// All stores, in force or not.
    package var stores: [StoreName: NamedStore] = [:]
    /// The size of all stores together.
    package var storeBytes = 0
    /// The policy in force, and the number of the last change.
    package var policy = Policies()
    /// The always-allowed list of each member, as it was set.
    package var allowed: [String: [TokenItem]] = [:]
    /// The stores of rules that the snapshot has not contained so far, during a rebuild of the stream of decisions.
    ///
    /// An empty store name means the always-allowed list of the member.
    var unconfirmed: Set<StoreName> = []
    package var changes = ChangeLogSize()
    package var requests = MoreTimeRequests()
    /// The settings agreed in the household for answering the requests of members on all machines.
    package var agreedSettings = AgreedSettings()

    package init() {}

    /// Decides if and why a subject is shielded now. Returns the decision and the category of the subject.
    package func decide(_ subject: ShieldSubject, member: String, at wall: WallTime) -> (
        category: String, decision: ShieldDecision
    ) {
        let thing = facts.classify(subject)
        let decision = policy.decide(thing, member: member, wallMs: wall.ms)
        return (thing.domainCategory ?? thing.category ?? Category.other.rawValue, decision)
    }

    /// Returns sentences about ways to lift a shield, or the reason why there is none.
    package func waysToLift(_ decision: ShieldDecision) -> [Message] {
        ShieldLiftMessages.messages(
            decision,
            rules: BuiltInRules.app,
            named: { apps.installed[$0]?.name ?? $0 },
            rule: { note(of: $0)?.rule ?? $0.store }
        )
    }

    /// Returns the note that a rule put on its store. Returns `nil` for a store of an app.
    func note(of store: StoreName) -> ShieldNote? {
        guard case .note(let note)? = stores[store]?.values[.note] else { return nil }
        return note
    }

    /// Returns the present decision about a subject, with the data for showing its shield.
    func verdict(of subject: ShieldSubject, member: String?, _ now: TimeReading, zone: String) throws
        -> ShieldVerdict
    {
        let member = try household.member(member)
        let (category, decision) = decide(subject, member: member, at: now.wall)
        // A cause that does not shield the app by itself concerns the site open in the app.
        let ofApp = subject.app.map { app in
            decide(ShieldSubject(app: app), member: member, at: now.wall).decision.causes
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
            offers: offers(of: subject, member, now.wall, zone: zone),
            facts: subject.app.flatMap { facts.facts(app: $0) },
            siteFacts: subject.domain.flatMap { facts.facts(domain: $0) },
            wall: now.wall,
            zone: zone
        )
    }
}

extension ShieldState {
    /// Returns the durations that can be granted: any for a guardian, and at most the rule's for a person's own rule.
    private func offers(of subject: ShieldSubject, _ member: String, _ now: WallTime, zone: String)
        -> [MoreOffer]
    {
        let isChild = household.role(of: member) == .child
        let rule = requests.rule(of: member, isChild: isChild)
        let isAsked = isChild || household.hasGuardian(besides: member) || rule.aDay == 0
        var offers: [MoreOffer] = [.quarter, .hour, .day].filter {
            isAsked || $0.duration(now, zone: zone) <= .milliseconds(rule.mostMs)
        }
        if requests.hasFreeMinute(
            member,
            ShieldTarget(subject).items,
            day: LocalDay(zone: zone).day(ofWallMs: now.ms).text
        ) {
            offers.insert(.minute, at: 0)
        }
        return offers.count > 1 ? offers : []
    }
}

/// The decision about one subject, with the data for showing its shield.
struct ShieldVerdict: Sendable, Equatable {
    var member: String
    var policy: Int64
    /// The decision for events and replies, which names the first of many causes.
    var decision: ShieldDecisionBody
    /// All causes, in the decision's order.
    var causes: [ShieldCauseBody]
    /// The category of the foreground site, or of the app if there is no site.
    var category: String
    /// For each cause, true if it concerns the site and not the app.
    var isSite: [Bool]
    /// For each cause, the version of its store.
    var versions: [Int64]
    /// For each cause, the note of its rule. `nil` for a store of an app.
    var notes: [ShieldNote?]
    /// The latest request for more time that is not granted yet.
    var waiting: MoreTimeRequest?
    /// The durations that can be requested. Fewer than two make no menu.
    var offers: [MoreOffer]
    var facts: SubjectFacts?
    var siteFacts: SubjectFacts?
    /// The moment of the decision, and the computer's time zone at that moment.
    var wall: WallTime
    var zone: String

    /// The moment before which the shield does not open by itself. `nil` if the opening time of a cause is unknown.
    var opens: WallTime? { ShieldNote.opensMs(notes).map(WallTime.init) }

    /// Returns the display name of the app, or its identifier if it has none. As on a phone, there is always a name.
    func appName(_ app: String, _ language: String) -> String { Self.name(facts, language) ?? app }

    /// The app's own icon, if desktop-agent has found one that can be drawn.
    var icon: ShieldIcon? {
        guard let path = facts?.icon, path.hasPrefix("/"), [".png", ".svg"].contains(where: path.hasSuffix)
        else {
            return nil
        }
        return ShieldIcon(kind: .file, name: path)
    }

    func siteName(_ domain: String, _ language: String) -> String {
        // The name of a whole site does not apply to its subdomains.
        guard siteFacts?.subject == SubjectFactIndex.sitePrefix + domain else { return domain }
        return Self.name(siteFacts, language) ?? domain
    }

    /// Returns the name in the language, in its general language such as `en` for `en_GB`, or the default name.
    private static func name(_ facts: SubjectFacts?, _ language: String) -> String? {
        guard let facts else { return nil }
        let general = String(language.prefix { $0 != "_" && $0 != "-" })
        return facts.names[language] ?? facts.names[general] ?? facts.name
    }
}
