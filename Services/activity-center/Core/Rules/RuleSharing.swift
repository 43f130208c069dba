import STBus
package import STContracts
import STCrypto
import STEngine
package import STPlatform
import STRules

/// A rule that the household has, or is to have, for all machines of its member.
package struct SharedRule: WireBody, Codable, Equatable {
    package struct Key: Sendable, Hashable {
        package var member: String
        package var id: String
    }

    /// As the household and this machine last agreed; the version is 0 until they have.
    package var agreed: HouseholdRule
    /// The rule of this machine; nil: it has none (any more).
    package var rule: String?
    /// The guardian who agreed to what was changed here and not told yet.
    package var by: String?
    /// Why what both should have cannot hold here, or a change of this machine not there.
    package var problem: Problem?
    /// What this machine has instead: it is not told until a person changes it.
    package var held: HouseholdRule?
    /// Whether it is what was agreed on that could not be made here; it is tried again.
    package var isUnmade: Bool?

    var key: Key { Key(member: agreed.member, id: agreed.id) }
}

/// What of the rules a household of many machines has.
///
/// A machine tells what differs from what both agreed on. The household decides between changes that did not know of each
/// other, and what it answers is taken; so in the end all machines have the same.
package struct RuleSharing: Sendable, Equatable {
    /// Which household it is; empty: none.
    package var household = ""
    package var rules: [SharedRule.Key: SharedRule] = [:]

    /// True if a rule can be stored. A household can send any number of rules, so each member has a limit.
    private func hasRoom(for key: SharedRule.Key) -> Bool {
        rules[key] != nil || rules.keys.count { $0.member == key.member } < HouseholdRules.keptMax
    }

    private static let kinds: Set<RuleKind> = [.limit, .downtime, .window, .goal, .break, .allow]

    private var members: Set<String> { Set(rules.keys.filter { $0.id == HouseholdRule.delay }.map(\.member)) }

    /// Whether it is a teacher's lesson, by its rule here.
    func isLesson(_ rule: String) -> Bool {
        rules.contains { $0.value.rule == rule && $0.key.id.hasPrefix("\(HouseholdRule.lesson)-") }
    }

    // MARK: - This machine's side

    /// Follows these members and no others; in another household, or after coming back, nothing is agreed yet.
    mutating func follow(_ wanted: [String], in household: String, _ book: RuleBook) {
        if self.household != household {
            self.household = household
            // A rule keeps its id, also when it has changed since it was added; and what was allowed once does not come back.
            rules = rules.filter { $0.value.rule != nil || $0.value.agreed.spec?.kind == .allow }.mapValues {
                var anew = SharedRule(agreed: .none($0.agreed.id, of: $0.agreed.member))
                anew.rule = $0.rule
                if $0.rule == nil { anew.agreed.spec = $0.agreed.spec }
                return anew
            }
        }
        rules = rules.filter { wanted.contains($0.key.member) || $0.key.id != HouseholdRule.delay }
        for member in wanted where !members.contains(member) {
            var one = SharedRule(agreed: .none(HouseholdRule.delay, of: member))
            one.agreed.delayMs = 0
            rules[one.key] = one
        }
        for (key, one) in rules where one.held != nil && Self.current(one, book).isSame(as: one.agreed) {
            var settled = one
            (settled.problem, settled.held, settled.isUnmade) = (nil, nil, nil)
            rules[key] = settled
        }
        addNew(book, by: nil)
    }

    private var followed: [SharedRule] {
        let members = members
        return rules.values.filter { members.contains($0.key.member) }
            .sorted { ($0.key.member, $0.key.id) < ($1.key.member, $1.key.id) }
    }

    private mutating func addNew(_ book: RuleBook, by prover: String?) {
        let members = members
        let known = Set(rules.values.compactMap(\.rule))
        for rule in book.sorted(where: { members.contains($0.member) && !known.contains($0.id) })
        where Self.kinds.contains(rule.spec.kind) {
            let base = Self.id(of: rule.spec)
            // Another rule may have begun as this one did, and been changed since.
            let ids = [base] + (2...RuleBook.rulesMax + 1).map { "\(base)-\($0)" }
            let keys = ids.map { SharedRule.Key(member: rule.member, id: $0) }
            guard let key = keys.first(where: { rules[$0]?.rule == nil }) else { continue }
            var one = rules[key] ?? SharedRule(agreed: .none(key.id, of: key.member))
            (one.rule, one.by) = (rule.id, prover ?? one.by)
            rules[key] = one
        }
    }

    /// What two machines call the same rule, when people make it on both.
    private static func id(of spec: RuleSpec) -> String {
        func sorted(_ items: [TokenItem]) -> [TokenItem] {
            items.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
        }
        let subject = RuleSpec(
            kind: spec.kind,
            targets: sorted(spec.targets),
            window: spec.kind == .downtime ? spec.window : nil,
            days: spec.days,
            opens: spec.opens.map(sorted)
        )
        let text = (try? subject.encodedBody()) ?? []
        return TextFormat.hex(Array(Digest.blake2b(text).prefix(10)))
    }

    /// Takes up rules that are new, and remembers who agreed to a change.
    mutating func note(_ prover: String?, _ book: RuleBook, since old: RuleBook) {
        guard !rules.isEmpty else { return }
        for (key, one) in rules {
            let before = Self.current(one, old)
            // Another rule may get the id of one that is gone.
            if let rule = one.rule, book.rules[rule] == nil { rules[key]?.rule = nil }
            let now = Self.current(one, book)
            guard !now.isSame(as: before) else { continue }
            let waited =
                key.id == HouseholdRule.delay
                ? old.delays[key.member]?.nextBy : one.rule.flatMap { old.rules[$0]?.waiting?.by }
            rules[key]?.by = now.isSame(as: one.agreed) ? nil : prover ?? waited ?? one.by
        }
        addNew(book, by: prover)
    }

    private static func current(_ one: SharedRule, _ book: RuleBook) -> HouseholdRule {
        let rule = one.rule.flatMap { book.rules[$0] }
        return HouseholdRule(
            id: one.agreed.id,
            member: one.agreed.member,
            version: one.agreed.version,
            spec: rule?.isInEffect == true ? rule?.spec : nil,
            delayMs: one.agreed.id == HouseholdRule.delay
                ? book.delays[one.agreed.member]?.delayMs ?? 0 : nil,
            by: one.by
        )
    }

    /// What the household does not know yet, as much as fits.
    func changes(_ book: RuleBook) throws -> [HouseholdRule] {
        var changes: [HouseholdRule] = []
        var bytes = 0
        for one in followed {
            let now = Self.current(one, book)
            guard !now.isSame(as: one.agreed), one.held?.isSame(as: now) != true else { continue }
            bytes += try now.encodedBody().count
            guard changes.isEmpty || bytes <= HouseholdRules.bytesMax,
                changes.count < HouseholdRules.changesMax
            else { break }
            changes.append(now)
        }
        return changes
    }

    var known: [HouseholdRuleKnown] {
        followed.map { .init(member: $0.agreed.member, id: $0.agreed.id, version: $0.agreed.version) }
    }

    // MARK: - The household's side

    /// The household does not take what this machine told.
    mutating func refuse(_ refused: HouseholdRuleRefused, told: HouseholdRule?) {
        let key = SharedRule.Key(member: refused.member, id: refused.id)
        rules[key]?.problem = refused.problem
        rules[key]?.held = told
    }

    /// What was agreed on, and could not be made here.
    var unmade: [HouseholdRule] { followed.filter { $0.isUnmade == true }.map(\.agreed) }

    var problems: [Problem] { followed.compactMap(\.problem) }

    /// Makes a rule what the household says; a person's change that it does not know of yet stays until it has heard of it.
    ///
    /// `told`: what this machine had said of it. Returns what a person is to be told: their change does not stand.
    static func take(
        _ heard: HouseholdRule,
        told: HouseholdRule?,
        _ context: RequestContext,
        in book: inout RuleBook
    ) -> NotifyPost.Request? {
        let key = SharedRule.Key(member: heard.member, id: heard.id)
        guard book.sharing.members.contains(key.member), heard.hasPlainNames, book.sharing.hasRoom(for: key)
        else { return nil }
        var one = book.sharing.rules[key] ?? SharedRule(agreed: .none(key.id, of: key.member))
        let now = current(one, book)
        let isHeld = one.held?.isSame(as: now) == true
        if let told, told.isSame(as: heard), !now.isSame(as: told) {
            // A person has changed it again since: this machine tells that next.
            one.agreed = heard
            book.sharing.rules[key] = one
            return nil
        }
        guard now.isSame(as: one.agreed) || isHeld || told?.isSame(as: now) == true else { return nil }
        let before = book.rules[one.rule ?? ""]
        one.agreed = heard
        let wasUnmade = one.isUnmade
        (one.by, one.problem, one.held, one.isUnmade) = (nil, nil, nil, nil)
        do {
            var changed = book
            if !now.isSame(as: heard) {
                one.rule = try replace(one, by: heard, context, in: &changed)
                // As this machine writes it, so that it is not told as a change.
                one.agreed.spec = current(one, changed).spec
            }
            changed.sharing.rules[key] = one
            book = changed
        } catch {
            let isNew = wasUnmade != true
            (one.problem, one.held, one.isUnmade) = (Problem(error), now, true)
            book.sharing.rules[key] = one
            return isNew ? notice(of: Problem(error), about: heard, context, book.words) : nil
        }
        guard let told, isOther(told, heard) else { return nil }
        return notice(told, heard, book.rules[one.rule ?? ""] ?? before, context, book.words)
    }

    private static func isOther(_ told: HouseholdRule, _ heard: HouseholdRule) -> Bool {
        told.delayMs != heard.delayMs || told.spec.map { RuleDemand($0) } != heard.spec.map { RuleDemand($0) }
    }

    private static func replace(
        _ one: SharedRule,
        by heard: HouseholdRule,
        _ context: RequestContext,
        in book: inout RuleBook
    ) throws -> String? {
        if heard.id == HouseholdRule.delay {
            var delay = MemberDelay()
            // The wait for a shorter one was over where it was asked for.
            try delay.set(heard.delayMs ?? 0, context.now, bootID: context.bootID)
            book.delays[heard.member] = delay
            return nil
        }
        guard var spec = heard.spec else {
            if let rule = one.rule { book.rules[rule] = nil }
            return nil
        }
        guard kinds.contains(spec.kind) else {
            throw Problem("rule.unknown_kind", "Rules of this kind cannot be shared between machines.")
        }
        spec.member = heard.member
        if spec.kind == .allow { spec.then = nil }
        guard let old = one.rule.flatMap({ book.rules[$0] }) else {
            if let name = spec.name, book.find(name) != nil { spec.name = nil }
            let member = Member(name: heard.member, role: .individual)
            return try RuleEditing.add(spec, for: member, context, to: &book, mayBeTwin: true).id
        }
        spec.name = old.name
        let new = try RuleEditing.replace(old, by: spec, context, in: &book, mayBeTwin: true)
        // What waited was to be looser than the rule that is no more.
        book.rules[new.id]?.waiting = nil
        return new.id
    }

    /// A rule of all other machines that this one cannot make, or one of this machine that they cannot have.
    static func notice(
        of problem: Problem,
        about rule: HouseholdRule,
        _ context: RequestContext,
        _ words: NoticeWords
    ) -> NotifyPost.Request {
        let name = rule.spec?.name ?? words.say("rule-notice.a-rule", "A rule")
        return post(
            rule,
            words.say("rule-notice.is-not-the-same", "\(name, "name") is not the same on all machines"),
            words.say(problem.text),
            context
        )
    }

    private static func notice(
        _ told: HouseholdRule,
        _ heard: HouseholdRule,
        _ rule: Rule?,
        _ context: RequestContext,
        _ words: NoticeWords
    ) -> NotifyPost.Request {
        func text(_ one: HouseholdRule) -> String {
            one.delayMs.map { words.duration(ms: $0) } ?? one.spec.map { words.say(RuleText.summary($0)) }
                ?? words.say("rule-notice.no-such-rule", "no such rule")
        }
        let name = rule?.name ?? told.spec?.name ?? words.say("rule-notice.changes-wait", "Delay for changes")
        let place =
            heard.device.map { words.say("rule-notice.as-set-on", ", as set on \($0, "machine")") } ?? ""
        // Nothing else has changed it: it was to become looser.
        let why =
            heard.version == told.version
            ? words.say(
                "rule-notice.only-a-guardian-makes",
                """
                Only a guardian can make this less strict, and only on a machine that had a guardian when it \
                joined. 
                """
            ) : ""
        return post(
            told,
            words.say("rule-notice.your-change-does-not", "\(name, "name"): your change was not accepted"),
            why
                + words.say(
                    "rule-notice.all-machines-of-the",
                    """
                    All machines in the household keep this setting: \
                    \(text(heard), "text")\(place, "place"). Your setting was: \(text(told), "text2").
                    """
                ),
            context
        )
    }

    private static func post(
        _ rule: HouseholdRule,
        _ title: String,
        _ body: String,
        _ context: RequestContext
    ) -> NotifyPost.Request {
        NotifyPost.Request(
            app: BuiltInRules.app,
            member: rule.member,
            id: "rule/\(rule.id)/\(context.now.wallMs)",
            title: TextFormat.fitting(title, bytes: NotifyPost.titleBytesMax),
            body: TextFormat.fitting(body, bytes: NotifyPost.bodyBytesMax)
        )
    }
}

extension RuleRoutes {
    private static let asideMax = 5

    static var follow: ServiceRoute<ActivityState> {
        .write(RuleFollow.self) { state, request, context, change in
            guard max(request.heard.count, request.told.count) <= HouseholdRules.max else {
                throw Problem(
                    "rule.too_many",
                    "There are too many rules in one request.",
                    key: "rule.too_many.there-are-too",
                    field: "/heard"
                )
            }
            try state.rules.requireCopiedRules()
            var notices = try state.changeRules(change) { book in
                book.sharing.follow(request.members, in: request.household, book)
                return request.refused.compactMap { refused in
                    let told = request.told.first { $0.member == refused.member && $0.id == refused.id }
                    book.sharing.refuse(refused, told: told)
                    return told.map {
                        RuleSharing.notice(of: refused.problem, about: $0, context, book.words)
                    }
                }
            }
            // What found no room before may find some now.
            for heard in state.rules.sharing.unmade + request.heard {
                let told = request.told.first { $0.member == heard.member && $0.id == heard.id }
                let machine = heard.device ?? "another machine"
                let notice = try state.changeRules(change, by: heard.by, elsewhere: machine) {
                    RuleSharing.take(heard, told: told, context, in: &$0)
                }
                // Both may hold, side by side.
                let isBeside = request.heard.contains { $0.id != heard.id && told?.isSame(as: $0) == true }
                if let notice, !isBeside { notices.append(notice) }
            }
            try RuleSteps.reconcile(&state, context, change)
            let sharing = state.rules.sharing
            return RuleFollow.Reply(
                changes: try sharing.changes(state.rules),
                known: sharing.known,
                aside: Array(sharing.problems.prefix(asideMax)),
                notices: notices
            )
        }
    }
}
