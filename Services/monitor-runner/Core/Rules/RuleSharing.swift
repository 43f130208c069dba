import STBus
package import STContracts
import STCrypto
import STEngine
package import STPlatform

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
    /// The last version of the household that cannot hold here, and why.
    package var refused: Int64?
    package var problem: Problem?

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

    private static let kinds: Set<RuleKind> = [.limit, .downtime, .window, .goal, .break, .allow]

    private var members: Set<String> { Set(rules.keys.filter { $0.id == HouseholdRule.delay }.map(\.member)) }

    // MARK: - This machine's side

    /// Follows these members and no others; another household begins from the beginning.
    mutating func follow(_ wanted: [String], in household: String, _ book: RuleBook) {
        if self.household != household { self = RuleSharing(household: household) }
        rules = rules.filter { wanted.contains($0.key.member) }
        for member in wanted where !members.contains(member) {
            let delay = HouseholdRule(id: HouseholdRule.delay, member: member, version: 0, delayMs: 0)
            let one = SharedRule(agreed: delay)
            rules[one.key] = one
        }
        addNew(book, by: nil)
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
            let none = HouseholdRule(id: key.id, member: key.member, version: 0)
            rules[key, default: SharedRule(agreed: none)].rule = rule.id
            rules[key]?.by = prover
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
            guard !Self.current(one, book).isSame(as: before) else { continue }
            let waited = one.rule.flatMap { old.rules[$0]?.waiting?.by } ?? old.delays[key.member]?.nextBy
            rules[key]?.by = prover ?? waited ?? one.by
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
        var bytes = 0
        return try rules.sorted { ($0.key.member, $0.key.id) < ($1.key.member, $1.key.id) }
            .map { Self.current($0.value, book) }
            .filter { now in rules[.init(member: now.member, id: now.id)]?.agreed.isSame(as: now) != true }
            .prefix(HouseholdRules.changesMax)
            .prefix { change in
                bytes += try change.encodedBody().count
                return bytes <= HouseholdRules.bytesMax
            }
    }

    var known: [HouseholdRuleKnown] {
        rules.values.map { one in
            HouseholdRuleKnown(
                member: one.agreed.member,
                id: one.agreed.id,
                version: max(one.agreed.version, one.refused ?? 0)
            )
        }
        .sorted { ($0.member, $0.id) < ($1.member, $1.id) }
    }

    // MARK: - The household's side

    /// Makes a rule what the household says; a person's change that it does not know of yet stays until it has heard of it.
    ///
    /// `told`: what this machine had said of it.
    static func take(
        _ heard: HouseholdRule,
        told: HouseholdRule?,
        _ context: RequestContext,
        in book: inout RuleBook
    ) {
        let key = SharedRule.Key(member: heard.member, id: heard.id)
        guard book.sharing.members.contains(key.member) else { return }
        let none = HouseholdRule(id: key.id, member: key.member, version: 0)
        var one = book.sharing.rules[key] ?? SharedRule(agreed: none)
        let now = current(one, book)
        guard now.isSame(as: one.agreed) || told?.isSame(as: now) == true else { return }
        do {
            var changed = book
            if !now.isSame(as: heard) { one.rule = try replace(one, by: heard, context, in: &changed) }
            one.agreed = heard
            (one.by, one.refused, one.problem) = (nil, nil, nil)
            changed.sharing.rules[key] = one
            if let told, !told.isSame(as: heard) { tell(told, one, context, in: &changed) }
            book = changed
        } catch {
            one.refused = heard.version
            one.problem = Problem(error)
            book.sharing.rules[key] = one
        }
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
            throw Problem("rule.unknown_kind", "A rule of this kind does not go from machine to machine.")
        }
        spec.member = heard.member
        guard let old = one.rule.flatMap({ book.rules[$0] }) else {
            if let name = spec.name, book.find(name) != nil { spec.name = nil }
            if spec.kind == .allow { spec.then = nil }
            let member = Member(name: heard.member, role: .individual)
            return try RuleEditing.add(spec, for: member, context, to: &book, mayBeTwin: true).id
        }
        spec.name = old.name
        let new = try RuleEditing.replace(old, by: spec, context, in: &book, mayBeTwin: true)
        // What waited was to be looser than the rule that is no more.
        book.rules[new.id]?.waiting = nil
        return new.id
    }

    /// Says that another change stands, and not the one that was made here.
    private static func tell(
        _ told: HouseholdRule,
        _ one: SharedRule,
        _ context: RequestContext,
        in book: inout RuleBook
    ) {
        guard let rule = one.rule.flatMap({ book.rules[$0] }) else { return }
        let words = book.words
        let machine = one.agreed.device ?? words.pick("another machine", "다른 컴퓨터")
        let before = told.spec.map { RuleText.summary($0) } ?? words.pick("removed", "삭제")
        let post = NotifyPost.Request(
            app: BuiltInRules.app,
            member: rule.member,
            id: "rule-overruled/\(one.agreed.id)/\(one.agreed.version)",
            title: words.pick(
                "\(rule.name): the stricter change stands",
                "\(rule.name): 더 엄격한 변경이 적용됩니다"
            ),
            body: words.pick(
                "The household keeps what was set on \(machine): \(RuleText.summary(rule.spec)). Here it was: \(before).",
                "\(machine)에서 정한 규칙이 유지됩니다: \(RuleText.summary(rule.spec)). 여기서 정한 것: \(before)."
            )
        )
        book.rules[rule.id]?.held.append(
            HeldNotice(post: post, untilMs: context.now.wallMs + RuleCheck.dayMs)
        )
    }
}

extension RuleRoutes {
    /// Only link-service may make a child's rules looser so: it has them from machines where a guardian agreed.
    static func follow(_ isLink: @escaping @Sendable (Int32) -> Bool) -> ServiceRoute<MonitorState> {
        .write(RuleFollow.self) { state, request, context, change in
            guard isLink(context.principal.pid) else {
                throw Problem("rule.not_link", "Only link-service brings rules of a household.")
            }
            guard request.heard.count <= HouseholdRules.max, request.told.count <= HouseholdRules.changesMax
            else {
                throw Problem("rule.too_many", "So many rules do not come at once.", field: "/heard")
            }
            try state.changeRules(change) { book in
                book.sharing.follow(request.members, in: request.household, book)
            }
            for heard in request.heard {
                let told = request.told.first { $0.member == heard.member && $0.id == heard.id }
                try state.changeRules(change, by: heard.by, elsewhere: heard.device ?? "another machine") {
                    RuleSharing.take(heard, told: told, context, in: &$0)
                }
            }
            try state.changeRules(change) {
                $0.settleShields(nowMs: change.now.wallMs, cause: change.cause)
            }
            let sharing = state.rules.sharing
            return RuleFollow.Reply(
                changes: try sharing.changes(state.rules),
                known: sharing.known,
                aside: sharing.rules.values.compactMap(\.problem)
            )
        }
    }
}
