import STBus
import STContracts
import STEngine
import STPlatform

/// The rules of a person, one set for all of this person's machines.
///
/// A change says which version it was made to. Of two changes that did not know of each other the stricter one stands, and what a
/// person is a child for becomes looser by a guardian's word alone, from a machine where this guardian has an account.
enum HouseRules {
    private static let idBytesMax = 64
    private static let ruleBytesMax = 32 * 1024

    static func route(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        .write(HouseholdRules.self) { state, request, context, change in
            try stores.ready(&state, change)
            let device = state.devices[try state.device(context.principal.remote)]
            return try exchange(request, with: device, &state)
        }
    }

    private static func exchange(
        _ request: HouseholdRules.Request,
        with device: HouseholdState.Device,
        _ state: inout HouseholdState
    ) throws -> HouseholdRules.Reply {
        let people = Set(device.accounts.map(\.member))
        let children = people.intersection(request.children).sorted()
        if children != device.children {
            var told = device
            told.children = children
            state.put(told)
            state.unsaved.append(.device(told.id))
        }
        guard request.changes.count <= HouseholdRules.changesMax else {
            throw Problem(
                "household.too_many_rules",
                "A request has at most \(HouseholdRules.changesMax) changes of rules.",
                field: "/changes"
            )
        }
        var rules: [HouseholdRule] = []
        for asked in request.changes {
            try check(asked, people, state)
            rules.append(take(asked, from: device, &state))
        }
        var known: [String: Int64] = [:]
        for one in request.known { known["\(one.member)/\(one.id)"] = one.version }
        let told = Set(rules.map { "\($0.member)/\($0.id)" })
        let others = people.sorted().flatMap { member in
            (state.rules[member] ?? [:]).values.sorted { $0.id < $1.id }
        }
        .filter { rule in
            let key = "\(rule.member)/\(rule.id)"
            return known[key] != rule.version && !told.contains(key)
        }
        var bytes = 0
        let fitting = try others.prefix { rule in
            bytes += try rule.encodedBody().count
            return bytes <= HouseholdRules.bytesMax
        }
        return HouseholdRules.Reply(rules: rules + fitting, more: fitting.count < others.count)
    }

    /// Returns what stands afterwards.
    private static func take(
        _ asked: HouseholdRule,
        from device: HouseholdState.Device,
        _ state: inout HouseholdState
    ) -> HouseholdRule {
        let current = state.rules[asked.member]?[asked.id]
        let isGuarded = state.present.contains { $0.children.contains(asked.member) }
        let guardian = asked.by.flatMap { by in
            by != asked.member && device.accounts.contains { $0.member == by }
                && !state.present.contains { $0.children.contains(by) } ? by : nil
        }
        let none = HouseholdRule(id: asked.id, member: asked.member, version: 0)
        guard var next = decided(asked, current, mayLoosen: !isGuarded || guardian != nil) else {
            return current ?? none
        }
        next.version = (current?.version ?? 0) + 1
        next.by = guardian
        next.device = device.name
        state.put(next)
        return next
    }

    /// Nil: what there is stays.
    static func decided(_ asked: HouseholdRule, _ current: HouseholdRule?, mayLoosen: Bool) -> HouseholdRule?
    {
        let none = HouseholdRule(id: asked.id, member: asked.member, version: 0)
        let now = current ?? none
        guard !asked.isSame(as: now) else { return nil }
        if asked.version == now.version || current == nil {
            return mayLoosen || !isLooser(from: now, to: asked) ? asked : nil
        }
        var next = asked
        switch (now.spec, asked.spec) {
        case (let one?, let other?):
            guard let spec = RuleLoosening.strictest(one, other) else { return nil }
            next.spec = spec
        case (nil, nil): next.delayMs = max(now.delayMs ?? 0, asked.delayMs ?? 0)
        default: break
        }
        return next.isSame(as: now) || isLooser(from: now, to: next) ? nil : next
    }

    private static func isLooser(from now: HouseholdRule, to next: HouseholdRule) -> Bool {
        switch (now.spec, next.spec) {
        case (let old?, let new?): RuleLoosening.isLooser(from: old, to: new)
        case (let old?, nil): RuleLoosening.isRemovalLooser(old)
        case (nil, let new?): RuleLoosening.isAdditionLooser(new)
        case (nil, nil): next.delayMs ?? 0 < now.delayMs ?? 0
        }
    }

    private static func check(_ asked: HouseholdRule, _ people: Set<String>, _ state: HouseholdState) throws {
        guard people.contains(asked.member) else {
            throw Problem(
                "household.not_shared",
                "This machine does not share the person \(TextFormat.fitting(asked.member, bytes: 80)).",
                field: "/changes"
            )
        }
        let days = asked.spec?.days ?? []
        guard !asked.id.isEmpty, asked.id.utf8.count <= idBytesMax, Sharing.isPlain(asked.id),
            try asked.encodedBody().count <= ruleBytesMax, days.allSatisfy({ (1...7).contains($0) }),
            asked.spec?.kind != .unknown, (asked.delayMs != nil) == (asked.id == HouseholdRule.delay)
        else {
            throw Problem(
                "household.bad_rule",
                "A rule has an id of at most \(idBytesMax) bytes, a kind that this version knows, days from 1 to 7, and \(ruleBytesMax / 1_024) KiB.",
                field: "/changes"
            )
        }
        let rules = state.rules[asked.member] ?? [:]
        guard rules[asked.id] != nil || rules.count < HouseholdRules.max else {
            throw Problem(
                "household.too_many_rules",
                "The household has \(HouseholdRules.max) rules of \(asked.member), which is the limit.",
                field: "/changes"
            )
        }
    }
}
