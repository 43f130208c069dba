package import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform
import STStore

/// Explains why a subject is or was shielded, or is not, from the saved changes only.
enum ShieldExplainer {
    /// Upper bound on the changes of one store that are searched for the beginning of a shield.
    private static let stepsMax = 500

    static func explain(
        _ request: ShieldExplain.Request,
        state: ShieldState,
        context: RequestContext,
        database: Database
    ) throws -> ShieldExplain.Reply {
        let member = try state.household.member(request.member)
        let subject = try SubjectCheck.subject(request.subject, mayBeCategory: true)
        let thing = state.facts.classify(subject)
        let wall = request.wallMs.map(WallTime.init) ?? context.now.wall
        var reply = ShieldExplain.Reply(
            member: member,
            policy: 0,
            wallMs: wall.ms,
            category: thing.domainCategory ?? thing.category ?? Category.other.rawValue,
            decision: ShieldDecisionBody(.allowed),
            causes: [],
            lifts: [],
            sinceWallMs: state.changes.since.ms
        )
        reply.shown = try ShieldHistory.last(subject, of: member, until: wall, database)
        // The present can always be explained, even if the clock was ahead when the first change was saved.
        guard request.wallMs == nil || wall >= state.changes.since else {
            let since = moments(context).message(state.changes.since.ms)
            reply.lifts = [
                Message(
                    "shield-why.no-records-of-that-time",
                    "Screen Time has no records of that time. It records changes since \(since, "moment")."
                )
            ]
            return reply
        }
        let policy =
            request.wallMs == nil ? state.policy.number : try ChangeTable.last(at: wall, database) ?? 0
        let past = try PastPolicy(ChangeTable.currentChanges(member: member, until: policy, database))
        let decision = past.book.decide(thing, member: member, wallMs: wall.ms)
        reply.policy = policy
        reply.decision = ShieldDecisionBody(decision)
        reply.lifts =
            opening(decision, request: request, state: state, context: context) + state.waysToLift(decision)
        if request.wallMs != nil, wall < context.now.wall {
            reply.lifts.append(
                Message(
                    "shield-why.category-is-todays",
                    "Its category (\(reply.category, "category")) is the current one, not the one at that time."
                )
            )
        }
        if case .grant(let request) = decision.exemption { reply.grant = past.grants[request] }
        var began: [ShieldCause: StoreChange] = [:]
        let named = Set(reply.decision.causes)
        for cause in decision.causes where began[cause] == nil && named.contains(ShieldCauseBody(cause)) {
            let subject = past.subjects[cause.store] ?? ""
            began[cause] = try beginning(of: cause, subject, thing: thing, until: policy, database: database)
        }
        let changes = Dictionary(uniqueKeysWithValues: began.map { (ShieldCauseBody($0.key), $0.value) })
        reply.causes = reply.decision.causes.compactMap { cause in
            changes[cause].map { ExplainedCause(cause: cause, change: $0) }
        }
        return reply
    }

    /// Returns the opening time for the present only, because the notes of rules are not kept for the past.
    private static func opening(
        _ decision: ShieldDecision,
        request: ShieldExplain.Request,
        state: ShieldState,
        context: RequestContext
    ) -> [Message] {
        let notes = decision.causes.map { state.note(of: $0.store) }
        guard request.wallMs == nil, decision.isShielded, let opensMs = ShieldNote.opensMs(notes),
            opensMs > context.now.wallMs
        else { return [] }
        let opens = moments(context).message(opensMs)
        return [
            Message(
                "shield-why.does-not-open-before",
                "The shield does not end automatically before \(opens, "moment")."
            )
        ]
    }

    private static func moments(_ context: RequestContext) -> MomentFormatter {
        MomentFormatter(fromMs: context.now.wallMs, zone: context.zone)
    }

    /// Returns the change since which the store has shielded the subject in this way without interruption.
    private static func beginning(
        of cause: ShieldCause,
        _ subject: String,
        thing: ClassifiedSubject,
        until policy: Int64,
        database: Database
    ) throws -> StoreChange? {
        var found: StoreChange?
        try ChangeTable.forEachEarlier(
            subject,
            member: cause.store.member,
            until: policy,
            limit: stepsMax,
            database: database
        ) { row in
            let word = try PolicyStore.decodedBody(row.body)
            var rules = ShieldRules()
            if word.isInForce { rules.set(cause.store, word.shields.shields) }
            guard rules.causes(of: thing).causes.contains(cause) else { return false }
            found = StoreChange(
                policy: row.policy,
                app: word.app,
                member: word.member,
                store: word.store,
                route: row.route,
                wallMs: row.wall.ms,
                cause: row.cause,
                isInForce: word.isInForce,
                reason: word.reason
            )
            return true
        }
        return found
    }
}

/// The policy of one member at an earlier moment, rebuilt from the changes until then.
struct PastPolicy {
    private(set) var book = Policies()
    /// The event subject of each store.
    private(set) var subjects: [StoreName: String] = [:]
    private(set) var grants: [String: RequestView] = [:]

    init(_ rows: [ChangeRow]) throws {
        for row in rows {
            switch row.type {
            case PolicyStoreChanged.type:
                let word = try PolicyStore.decodedBody(row.body)
                book.apply(word)
                subjects[StoreName(app: word.app, member: word.member, store: word.store)] = row.subject
            case PolicyAllowedChanged.type: book.apply(try PolicyAllowed.decodedBody(row.body))
            case PolicyGrantChanged.type:
                let word = try PolicyGrant.decodedBody(row.body)
                book.apply(word)
                grants[word.request.request] = word.request
            default: break
            }
        }
    }
}

/// Checks the names of apps, categories and sites.
package enum SubjectCheck {
    /// Upper bound on the items of an always-allowed list.
    package static let itemsMax = BuiltInRules.allowedMax

    /// Returns the subject with a checked domain. Throws if it names nothing.
    ///
    /// If `mayBeCategory` is true, the subject can be a category, which means any of its apps.
    package static func subject(
        _ subject: ShieldSubject,
        _ field: String = "/subject",
        mayBeCategory: Bool = false
    ) throws -> ShieldSubject {
        guard subject.app != nil || subject.domain != nil || mayBeCategory && subject.category != nil else {
            throw Problem("shield.no_subject", "Name an app or a site.", field: field)
        }
        if let app = subject.app {
            try SettingsCheck.name(app, "\(field)/app", max: SettingLimits.idBytesMax)
        }
        return ShieldSubject(
            app: subject.app,
            domain: try subject.domain.map { try DomainName.checked($0, field: "\(field)/domain") },
            category: mayBeCategory
                ? try subject.category.map { try TokenLookup.category($0, "\(field)/category") } : nil
        )
    }

    /// Returns the checked items, sorted and without duplicates.
    package static func items(_ items: [TokenItem], _ field: String = "/items") throws -> [TokenItem] {
        guard items.count <= itemsMax else {
            throw Problem(
                "shield.too_many_items",
                """
                Name at most \(itemsMax, "most") apps, categories and sites. A category includes many apps and \
                sites.
                """,
                field: field
            )
        }
        let checked = try items.enumerated().map { index, item in
            TokenItem(kind: item.kind, id: try id(of: item, "\(field)/\(index)"))
        }
        return Set(checked).sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
    }

    private static func id(of item: TokenItem, _ field: String) throws -> String {
        switch try item.kind.required("\(field)/kind") {
        case .application, .unknown:
            try SettingsCheck.name(item.id, "\(field)/id", max: SettingLimits.idBytesMax)
            return item.id
        case .category: return try TokenLookup.category(item.id, "\(field)/id")
        case .domain: return try DomainName.checked(item.id, field: "\(field)/id")
        }
    }
}
