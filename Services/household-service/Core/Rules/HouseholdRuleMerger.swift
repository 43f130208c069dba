import STContracts
import STDomain
import STPlatform
import STRules

/// The rules of each person, which apply on all of the person's machines.
///
/// A change contains the version to which it was made. If two machines change the same rule while offline, the stricter version
/// applies. If neither is stricter, both apply. The rules of a person who is a child on one machine become looser only on a
/// machine where this person is a child too. A guardian must confirm the change there, and the machine must have had a guardian
/// when it was approved.
enum HouseholdRuleMerger {
    private static let idBytesMax = 64
    private static let ruleBytesMax = 32 * 1024
    /// Upper bound on a part of a list of sites, in bytes.
    private static let listBytesMax = DomainLists.partBytesMax + 4 * 1024
    /// Upper bound on the name of an app or a site, in bytes.
    private static let subjectBytesMax = 256

    static func exchange(
        _ request: HouseholdRules.Request,
        with asking: HouseholdState.Device,
        _ state: inout HouseholdState
    ) throws -> HouseholdRules.Reply {
        guard request.changes.count <= HouseholdRules.changesMax else {
            throw Problem(
                "household.too_many_rules",
                "A request can contain at most \(HouseholdRules.changesMax, "most") changes to rules.",
                field: "/changes"
            )
        }
        let accounts = Set(asking.accounts.map(\.member))
        let people = accounts.union([HouseholdRule.everyone]).intersection(request.members)
        var device = asking
        device.children = accounts.intersection(request.children).sorted()
        for child in device.children where !state.devices.contains(where: { $0.children.contains(child) }) {
            // The setting was made before this person was a child anywhere.
            guard let free = state.rules[child]?[HouseholdRule.requests], free.requests != nil else {
                continue
            }
            _ = replace(.none(free.id, of: child), after: free, on: device.name, &state)
        }
        if device.children != asking.children {
            // The grants of that machine may now apply, or no longer apply.
            device.requests.changes += 1
            state.save(device)
        }
        var reply = HouseholdRules.Reply(rules: [], refused: [])
        var bytes = 0
        for asked in request.changes where bytes < HouseholdRules.bytesMax {
            do {
                let stands = apply(
                    try checked(asked, people: people, device: device, state: state),
                    from: device,
                    &state
                )
                bytes += try stands.encodedBody().count
                reply.rules.append(stands)
            } catch {
                reply.refused.append(.init(member: asked.member, id: asked.id, problem: Problem(error)))
            }
        }
        var known: [String: Int64] = [:]
        for one in request.known { known["\(one.member)/\(one.id)"] = one.version }
        let answered = Set(reply.rules.map { "\($0.member)/\($0.id)" })
        for member in people.sorted() {
            for rule in (state.rules[member] ?? [:]).values.sorted(by: { $0.id < $1.id }) {
                let key = "\(member)/\(rule.id)"
                guard known[key] != rule.version, !answered.contains(key),
                    reaches(rule, device: device, state: state)
                else { continue }
                bytes += try rule.encodedBody().count
                // The machine sends another request until there are no differences.
                guard bytes <= HouseholdRules.bytesMax || reply.rules.isEmpty else { return reply }
                reply.rules.append(rule)
            }
        }
        return reply
    }

    /// Applies a change. Returns the rule that applies afterwards.
    @discardableResult
    static func apply(
        _ asked: HouseholdRule,
        from device: HouseholdState.Device,
        _ state: inout HouseholdState
    ) -> HouseholdRule {
        let now = state.rules[asked.member]?[asked.id] ?? .none(asked.id, of: asked.member)
        guard !asked.isSame(as: now) else { return now }
        // A lesson belongs to its teacher: no machine ends it, or restores one that is over.
        if asked.id.hasPrefix("\(HouseholdRule.lesson)-") { return now }
        if !isTrusted(now, state) { return replace(asked, after: now, on: device.name, &state) }
        let isGuarded = state.devices.contains { $0.children.contains(asked.member) }
        // If the person is a child, only a machine with the child's guardian changes the answering of requests.
        let isGuardians =
            (asked.by != nil || asked.requests != nil) && state.mayLoosen(asked.member, on: device)
        // If a machine has not received the reply to its last change, it continues from its own version.
        let isOwn = asked.version == now.version - 1 && now.device == device.name
        if asked.version == now.version || isOwn {
            guard !isGuarded || isGuardians || !isLooser(from: now, to: asked) else { return now }
            return replace(asked, after: now, on: device.name, &state)
        }
        // The change was made to a different version, so it cannot loosen anything.
        if let joined = merged(now, asked) {
            guard !joined.isSame(as: now) else { return now }
            return replace(
                joined,
                after: now,
                on: joined.isSame(as: asked) ? device.name : now.device,
                &state
            )
        }
        let rules = (state.rules[asked.member] ?? [:]).values
        guard asked.spec?.kind != .allow, rules.count < HouseholdRules.max,
            !rules.contains(where: { $0.isSame(as: asked) })
        else { return now }
        // Neither version is stricter in all respects, so both apply.
        let ids = (2...HouseholdRules.max).lazy.map { "\(asked.id.prefix(idBytesMax - 5))-\($0)" }
        if let id = ids.first(where: { id in !rules.contains { $0.id == id && $0.spec != nil } }) {
            var beside = asked
            beside.id = id
            let before = state.rules[asked.member]?[id] ?? .none(id, of: asked.member)
            _ = replace(beside, after: before, on: device.name, &state)
        }
        return now
    }

    /// Sets or ends the lesson of a pupil. `spec` is `nil` if the lesson is over. A teacher can change nothing else.
    static func setLesson(
        _ spec: RuleSpec?,
        member: String,
        from teacher: HouseholdState.Device,
        state: inout HouseholdState
    ) throws {
        let id = HouseholdRule.lesson(of: teacher.id)
        let now = state.rules[member]?[id] ?? .none(id, of: member)
        var next = now
        next.spec = try spec.map { try RuleCheck.checked($0, for: Member(name: member, role: .individual)) }
        next.by = teacher.name
        guard !next.isSame(as: now) else { return }
        _ = replace(next, after: now, on: teacher.name, &state)
    }

    private static func replace(
        _ asked: HouseholdRule,
        after now: HouseholdRule,
        on machine: String?,
        _ state: inout HouseholdState
    ) -> HouseholdRule {
        var next = asked
        next.version = now.version + 1
        next.by = isLooser(from: now, to: asked) ? asked.by : nil
        next.device = machine
        state.upsert(next)
        return next
    }

    /// Returns one rule with both changes. Returns `nil` if that is not possible.
    private static func merged(_ now: HouseholdRule, _ asked: HouseholdRule) -> HouseholdRule? {
        var next = now
        switch (now.spec, asked.spec) {
        case (let one?, let other?):
            guard let spec = RuleLoosening.strictest(one, other) else { return nil }
            next.spec = spec
        case (nil, nil):
            next.delayMs = [now.delayMs, asked.delayMs].compactMap(\.self).max()
            next.requests = now.requests.flatMap { asked.requests?.stricter($0) } ?? now.requests
            if let sites = now.sites, let more = asked.sites, now.category == asked.category {
                // The list contains the entries of both machines.
                next.sites = sites + Set(more).subtracting(sites).sorted()
                if (try? next.encodedBody().count) ?? .max > listBytesMax { next.sites = sites }
            }
        default: next.spec = isLooser(from: now, to: asked) ? now.spec : asked.spec
        }
        return next
    }

    private static func isLooser(from now: HouseholdRule, to next: HouseholdRule) -> Bool {
        RuleLoosening.isLooser(from: now.spec, to: next.spec) || next.delayMs ?? 0 < now.delayMs ?? 0
            || isLooser(from: now.requests, to: next.requests)
    }

    private static func isLooser(from now: RequestRule?, to next: RequestRule?) -> Bool {
        guard let next else { return now != nil }
        return now.map { next.isLooser(than: $0) } ?? true
    }

    /// Returns the rule in the form in which it is stored. Machines send the same form.
    private static func checked(
        _ asked: HouseholdRule,
        people: Set<String>,
        device: HouseholdState.Device,
        state: HouseholdState
    ) throws -> HouseholdRule {
        guard people.contains(asked.member) else {
            throw Problem(
                "household.not_shared",
                """
                This machine does not share the member \
                \(TextFormat.truncated(asked.member, bytes: 80), "member") with the household.
                """
            )
        }
        let isDelay = asked.id == HouseholdRule.delay
        let isSetting = asked.member == HouseholdRule.everyone || asked.id == HouseholdRule.requests
        let isList = asked.member == HouseholdRule.everyone && asked.id.hasPrefix(HouseholdRule.lists)
        guard !asked.id.isEmpty, asked.id.utf8.count <= (isSetting ? subjectBytesMax : idBytesMax),
            UsageUpload.isShort(asked.id), asked.category == nil || asked.member == HouseholdRule.everyone,
            (asked.sites != nil) == (isList && asked.category != nil),
            asked.sites?.allSatisfy({ !$0.isEmpty && UsageUpload.isShort($0) }) != false,
            asked.requests == nil
                || asked.id == HouseholdRule.requests && asked.member != HouseholdRule.everyone,
            (asked.delayMs != nil) == (isDelay && !isSetting), !isDelay && !isSetting || asked.spec == nil,
            (0...RuleCheck.delayMsMax).contains(asked.delayMs ?? 0),
            try asked.encodedBody().count <= (isList ? listBytesMax : ruleBytesMax)
        else {
            throw Problem(
                "household.bad_rule",
                text: isSetting
                    ? Message(
                        "household.bad_rule.a-category-is-of",
                        """
                        A category must belong to an app, a site or a list of sites. A rule for requests \
                        must belong to a person.
                        """
                    )
                    : Message(
                        "household.bad_rule.a-rule-has-an",
                        """
                        The id of a rule can have at most \(idBytesMax, "bytes") bytes, and the whole rule \
                        at most \(ruleBytesMax / 1_024, "most") KiB. The delay for changes can be at most a \
                        week.
                        """
                    )
            )
        }
        if asked.member == HouseholdRule.everyone { try check(category: asked, device, state) }
        var checked = asked
        checked.requests = asked.requests?.of("")
        try checked.requests?.check()
        if var spec = asked.spec {
            if spec.kind == .allow { spec.then = nil }
            guard spec.kind != .session else {
                throw Problem("household.bad_rule", "A focus session is not shared with the household.")
            }
            spec = try RuleCheck.checked(spec, for: Member(name: asked.member, role: .individual))
            checked.spec = spec
        }
        let rules = state.rules[asked.member] ?? [:]
        guard rules[asked.id] != nil || rules.count < HouseholdRules.max else {
            throw tooManyRules(of: asked.member)
        }
        return checked
    }

    private static func tooManyRules(of member: String) -> Problem {
        Problem(
            "household.too_many_rules",
            """
            \(member, "member") already has the maximum of \(HouseholdRules.max, "most") rules. Remove a rule \
            first.
            """,
            key: "household.too_many_rules.the-household-has"
        )
    }

    /// Checks a change of a category. In a household with children, the machine must be able to loosen the rules of all of them.
    private static func check(
        category asked: HouseholdRule,
        _ device: HouseholdState.Device,
        _ state: HouseholdState
    ) throws(Problem) {
        guard asked.category.map({ Category(rawValue: $0) != nil }) ?? true else {
            throw Problem(
                "household.bad_rule",
                "There is no such category in this household.",
                key: "household.bad_rule.there-is-no"
            )
        }
        let now = state.rules[asked.member]?[asked.id] ?? .none(asked.id, of: asked.member)
        guard asked.isSame(as: now) || state.mayLoosenAll(on: device) else {
            throw Problem(
                "household.not_for_all",
                """
                A category applies to all children of the household. Change categories of apps and sites on \
                a machine where all of the children have their guardian.
                """
            )
        }
    }

    /// Returns true if a machine receives a rule. The category of an app or a site is sent only to machines of the same people,
    /// because its name may reveal something about them.
    private static func reaches(
        _ rule: HouseholdRule,
        device: HouseholdState.Device,
        state: HouseholdState
    ) -> Bool {
        guard rule.member == HouseholdRule.everyone else { return true }
        let people = Set(device.accounts.map(\.member))
        let from = state.activeDevices.first { $0.name == rule.device }
        return from?.accounts.contains { people.contains($0.member) } != false
            && (device.children.isEmpty || isTrusted(rule, state))
    }

    /// Returns false for a category in a household with children, if it was chosen before there was a child, or on a machine
    /// without all of them.
    private static func isTrusted(_ rule: HouseholdRule, _ state: HouseholdState) -> Bool {
        guard rule.member == HouseholdRule.everyone, rule.version > 0,
            state.activeDevices.contains(where: { !$0.children.isEmpty })
        else { return true }
        return state.activeDevices.first { $0.name == rule.device }.map { state.mayLoosenAll(on: $0) }
            ?? false
    }
}
