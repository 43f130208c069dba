import STBus
package import STContracts
import STCrypto
import STEngine
package import STPlatform
import STRules

/// A rule that the household stores, or is to store, for all machines of its member.
package struct SharedRule: WireBody, Codable, Equatable {
    package struct Key: Sendable, Hashable {
        package var member: String
        package var id: String
    }

    /// The version on which the household and this machine last agreed. Its `version` is 0 before the first agreement.
    package var agreed: HouseholdRule
    /// The id of the rule on this machine. `nil` if this machine has no such rule, or no longer has it.
    package var rule: String?
    /// The guardian who authorised a local change that is not sent yet.
    package var by: String?
    /// The reason why the agreed version cannot apply here, or why the household refused a change of this machine.
    package var problem: Problem?
    /// This machine's version in place of the agreed one. It is not sent until a person changes it.
    package var held: HouseholdRule?
    /// True if the agreed version could not be made here. Each `rule.follow` tries again.
    package var isUnmade: Bool?

    var key: Key { Key(member: agreed.member, id: agreed.id) }
}

/// The rules that this machine shares with a household of many machines.
///
/// A machine sends the rules that differ from the agreed versions. The household decides between concurrent changes, and each
/// machine applies the household's reply. In the end all machines have the same rules.
package struct RuleSharing: Sendable, Equatable {
    /// The id of the household, or empty if there is none.
    package var household = ""
    package var rules: [SharedRule.Key: SharedRule] = [:]

    /// Returns true if a rule can be stored. A household can send any number of rules, so each member has a limit.
    private func hasRoom(for key: SharedRule.Key) -> Bool {
        rules[key] != nil || rules.keys.count { $0.member == key.member } < HouseholdRules.keptMax
    }

    private static let kinds: Set<RuleKind> = [.limit, .downtime, .window, .goal, .break, .allow]

    private var members: Set<String> { Set(rules.keys.filter { $0.id == HouseholdRule.delay }.map(\.member)) }

    /// Returns true if the rule of this machine with this id is a teacher's lesson.
    func isLesson(_ rule: String) -> Bool {
        rules.contains { $0.value.rule == rule && $0.key.id.hasPrefix("\(HouseholdRule.lesson)-") }
    }

    // MARK: - This machine's side

    /// Shares the rules of these members only. In another household, or after rejoining one, nothing is agreed yet.
    mutating func follow(_ wanted: [String], in household: String, _ book: RuleState) {
        if self.household != household {
            self.household = household
            // A rule keeps its id even if it has changed. A removed permission stays stored, so that it does not return.
            rules = rules.filter { $0.value.rule != nil || $0.value.agreed.spec?.kind == .allow }.mapValues {
                var reset = SharedRule(agreed: .none($0.agreed.id, of: $0.agreed.member))
                reset.rule = $0.rule
                if $0.rule == nil { reset.agreed.spec = $0.agreed.spec }
                return reset
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

    private mutating func addNew(_ book: RuleState, by prover: String?) {
        let members = members
        let known = Set(rules.values.compactMap(\.rule))
        for rule in book.sorted(where: { members.contains($0.member) && !known.contains($0.id) })
        where Self.kinds.contains(rule.spec.kind) {
            let base = Self.id(of: rule.spec)
            // Another rule may have been added with the same content, and changed since.
            let ids = [base] + (2...RuleState.rulesMax + 1).map { "\(base)-\($0)" }
            let keys = ids.map { SharedRule.Key(member: rule.member, id: $0) }
            guard let key = keys.first(where: { rules[$0]?.rule == nil }) else { continue }
            var one = rules[key] ?? SharedRule(agreed: .none(key.id, of: key.member))
            (one.rule, one.by) = (rule.id, prover ?? one.by)
            rules[key] = one
        }
    }

    /// Returns an id derived from the content. A rule that people add on two machines has the same id on both.
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

    /// Adds rules that are new, and stores the guardian who authorised a change.
    mutating func recordChanges(_ prover: String?, _ book: RuleState, since old: RuleState) {
        guard !rules.isEmpty else { return }
        for (key, one) in rules {
            let before = Self.current(one, old)
            // A new rule may get the id of a removed one.
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

    private static func current(_ one: SharedRule, _ book: RuleState) -> HouseholdRule {
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

    /// Returns the changes that the household does not have yet, up to the limits of one request.
    func changes(_ book: RuleState) throws -> [HouseholdRule] {
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

    var knownVersions: [HouseholdRuleKnown] {
        followed.map { .init(member: $0.agreed.member, id: $0.agreed.id, version: $0.agreed.version) }
    }

    // MARK: - The household's side

    /// Stores the household's refusal of a change that this machine sent.
    mutating func refuse(_ refused: HouseholdRuleRefused, told: HouseholdRule?) {
        let key = SharedRule.Key(member: refused.member, id: refused.id)
        rules[key]?.problem = refused.problem
        rules[key]?.held = told
    }

    /// The agreed versions that could not be made here.
    var unappliedRules: [HouseholdRule] { followed.filter { $0.isUnmade == true }.map(\.agreed) }

    var problems: [Problem] { followed.compactMap(\.problem) }

    /// Applies the household's version of a rule. A person's change that the household does not have yet remains until it is sent.
    ///
    /// `told`: the version that this machine had sent. Returns a notice if a person's change was not accepted, or if the rule
    /// cannot be made here.
    static func apply(
        _ heard: HouseholdRule,
        told: HouseholdRule?,
        _ context: RequestContext,
        in book: inout RuleState
    ) -> NotifyPost.Request? {
        let key = SharedRule.Key(member: heard.member, id: heard.id)
        guard book.sharing.members.contains(key.member), heard.hasPlainNames, book.sharing.hasRoom(for: key)
        else { return nil }
        var one = book.sharing.rules[key] ?? SharedRule(agreed: .none(key.id, of: key.member))
        let now = current(one, book)
        let isHeld = one.held?.isSame(as: now) == true
        if let told, told.isSame(as: heard), !now.isSame(as: told) {
            // A person has changed the rule again since. The next request sends that change.
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
                // Store the specification as this machine writes it, so that it is not sent as a change.
                one.agreed.spec = current(one, changed).spec
            }
            changed.sharing.rules[key] = one
            book = changed
        } catch {
            let isNew = wasUnmade != true
            (one.problem, one.held, one.isUnmade) = (Problem(error), now, true)
            book.sharing.rules[key] = one
            return isNew ? notice(of: Problem(error), about: heard, context, book.strings) : nil
        }
        guard let told, differs(told, heard) else { return nil }
        return notice(
            told,
            heard: heard,
            rule: book.rules[one.rule ?? ""] ?? before,
            context: context,
            words: book.strings
        )
    }

    private static func differs(_ told: HouseholdRule, _ heard: HouseholdRule) -> Bool {
        told.delayMs != heard.delayMs
            || told.spec.map { RuleStrictness($0) } != heard.spec.map { RuleStrictness($0) }
    }

    private static func replace(
        _ one: SharedRule,
        by heard: HouseholdRule,
        _ context: RequestContext,
        in book: inout RuleState
    ) throws -> String? {
        if heard.id == HouseholdRule.delay {
            var delay = MemberDelay()
            // A shorter delay has already waited on the machine on which it was requested.
            try delay.set(.milliseconds(heard.delayMs ?? 0), context.now, bootID: context.bootID)
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
        // The waiting change was to loosen the rule that has just been replaced.
        book.rules[new.id]?.waiting = nil
        return new.id
    }

    /// Returns a notice about a household rule that this machine cannot make, or a rule that the household refuses.
    static func notice(
        of problem: Problem,
        about rule: HouseholdRule,
        _ context: RequestContext,
        _ words: NoticeStrings
    ) -> NotifyPost.Request {
        let name = rule.spec?.name ?? words.say("rule-notice.a-rule", "A rule")
        return noticeRequest(
            rule,
            title: words.say(
                "rule-notice.is-not-the-same",
                "\(name, "name") is not the same on all machines"
            ),
            body: words.say(problem.text),
            context: context
        )
    }

    private static func notice(
        _ told: HouseholdRule,
        heard: HouseholdRule,
        rule: Rule?,
        context: RequestContext,
        words: NoticeStrings
    ) -> NotifyPost.Request {
        func text(_ one: HouseholdRule) -> String {
            one.delayMs.map { words.duration(ms: $0) } ?? one.spec.map { words.say(RuleText.summary($0)) }
                ?? words.say("rule-notice.no-such-rule", "no such rule")
        }
        let name = rule?.name ?? told.spec?.name ?? words.say("rule-notice.changes-wait", "Delay for changes")
        let place =
            heard.device.map { words.say("rule-notice.as-set-on", ", as set on \($0, "machine")") } ?? ""
        // If the version is the same, no other change has replaced this one. The household refused it because it loosens the rule.
        let why =
            heard.version == told.version
            ? words.say(
                "rule-notice.only-a-guardian-makes",
                """
                Only a guardian can make this less strict, and only on a machine that had a guardian when it \
                joined. 
                """
            ) : ""
        return noticeRequest(
            told,
            title: words.say(
                "rule-notice.your-change-does-not",
                "\(name, "name"): your change was not accepted"
            ),
            body: why
                + words.say(
                    "rule-notice.all-machines-of-the",
                    """
                    All machines in the household keep this setting: \
                    \(text(heard), "text")\(place, "place"). Your setting was: \(text(told), "text2").
                    """
                ),
            context: context
        )
    }

    private static func noticeRequest(
        _ rule: HouseholdRule,
        title: String,
        body: String,
        context: RequestContext
    ) -> NotifyPost.Request {
        NotifyPost.Request(
            app: BuiltInRules.app,
            member: rule.member,
            id: "rule/\(rule.id)/\(context.now.wallMs)",
            title: TextFormat.truncated(title, bytes: NotifyPost.titleBytesMax),
            body: TextFormat.truncated(body, bytes: NotifyPost.bodyBytesMax)
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
                        RuleSharing.notice(of: refused.problem, about: $0, context, book.strings)
                    }
                }
            }
            // Rules that did not fit before may fit now.
            for heard in state.rules.sharing.unappliedRules + request.heard {
                let told = request.told.first { $0.member == heard.member && $0.id == heard.id }
                let machine = heard.device ?? "another machine"
                let notice = try state.changeRules(change, by: heard.by, elsewhere: machine) {
                    RuleSharing.apply(heard, told: told, context, in: &$0)
                }
                // The household may keep both rules side by side.
                let isBeside = request.heard.contains { $0.id != heard.id && told?.isSame(as: $0) == true }
                if let notice, !isBeside { notices.append(notice) }
            }
            try RuleSteps.reconcile(&state, context: context, change: change)
            let sharing = state.rules.sharing
            return RuleFollow.Reply(
                changes: try sharing.changes(state.rules),
                known: sharing.knownVersions,
                aside: Array(sharing.problems.prefix(asideMax)),
                notices: notices
            )
        }
    }
}
