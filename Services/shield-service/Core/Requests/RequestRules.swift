package import STContracts
import STEngine
import STFollowing
package import STPlatform

/// Shows and changes the rule that answers a member's own requests.
enum RequestRules {
    static func show(_ asked: RequestRuleShow.Request, context: RequestContext, book: MoreTimeRequests) throws
        -> RequestRuleState
    {
        let member = try Household.member(asked.member, in: try context.prepared.reply(MemberList.self))
        let stored = book.rules[member.name]
        return RequestRuleState(
            rule: book.rule(of: member.name, isChild: member.role == .child),
            next: stored?.next,
            nextFromWallMs: stored?.nextFrom?.wallMs,
            grantedToday: Int64(book.granted(member.name, day: RequestAdding.day(context, book)))
        )
    }

    /// Returns the request for the delay before the member's rules become looser. Returns `nil` if this change needs none.
    static func delay(
        _ asked: RequestRuleSet.Request,
        answers: PreparedReplies,
        book: MoreTimeRequests
    ) throws -> RuleDelay.Request? {
        guard let member = try loosened(asked, answers: answers, book: book), member.role != .child else {
            return nil
        }
        return RuleDelay.Request(member: member.name)
    }

    /// Returns the request for the proof that this change needs.
    ///
    /// Only a guardian changes a child's rule. Members loosen their own rule with their own passcode, if they have one.
    static func proof(
        _ asked: RequestRuleSet.Request,
        answers: PreparedReplies,
        book: MoreTimeRequests
    ) throws -> AuthProve.Request? {
        let member = try Household.member(asked.rule.member, in: try answers.reply(MemberList.self))
        guard try member.role == .child || loosened(asked, answers: answers, book: book) != nil else {
            return nil
        }
        return AuthProve.Request(
            member: member.name,
            by: asked.by,
            passcode: asked.passcode,
            purpose: Message(
                "purpose.request-rule",
                "change how requests of \(member.name, "member") are answered"
            )
        )
    }

    /// Applies the household's request rules for members of this machine, and returns the rules that were set here.
    static let follow: ServiceRoute<ShieldState> = .write(RequestRuleFollow.self) {
        state,
        request,
        context,
        change in
        var agreed = state.agreedSettings
        let here = state.requests.rules.map { member, own in
            HouseholdRule(id: HouseholdRule.requests, member: member, version: 0, requests: own.rule.of(""))
        }
        var own = request
        own.heard.removeAll { $0.id != HouseholdRule.requests }
        let reply = try agreed.exchange(own, here: here, database: change.database) { heard in
            try heard.requests?.check()
            let isChild = state.household.members.first { $0.name == heard.member }?.role == .child
            try RequestHandlers.update(&state, context: context, change: change) { book in
                let old = book.rule(of: heard.member, isChild: isChild)
                // Drop the waiting looser rule: it was to replace a rule that no longer exists.
                book.rules[heard.member] = heard.requests.map { CustomRequestRule($0.of(heard.member)) }
                let new = book.rule(of: heard.member, isChild: isChild)
                lengthen(old, new: new, day: RequestAdding.day(context, book), in: &book)
            }
        }
        state.agreedSettings = agreed
        return reply
    }

    private static func loosened(
        _ asked: RequestRuleSet.Request,
        answers: PreparedReplies,
        book: MoreTimeRequests
    ) throws -> Member? {
        try asked.rule.check()
        let member = try Household.member(asked.rule.member, in: try answers.reply(MemberList.self))
        let rule = book.rule(of: member.name, isChild: member.role == .child)
        return asked.rule.isLooser(than: rule) ? member : nil
    }

    /// Extends the delay of requests that already wait, if the new rule has longer delays.
    private static func lengthen(
        _ old: RequestRule,
        new: RequestRule,
        day: String,
        in book: inout MoreTimeRequests
    ) {
        let waiting = book.waiting(of: new.member).filter { $0.grants != nil }.sorted {
            $0.number < $1.number
        }
        for (place, request) in waiting.enumerated() {
            let count = book.granted(new.member, day: day) + place
            let more =
                CustomRequestRule.delay(new, after: count) - CustomRequestRule.delay(old, after: count)
            if more > .zero { book.requests[request.number]?.grants?.lengthen(byMs: more.ms) }
        }
    }

    static func set(
        _ asked: RequestRuleSet.Request,
        _ context: RequestContext,
        in book: inout MoreTimeRequests
    ) throws -> RequestRuleSet.Reply {
        try asked.rule.check()
        let answers = context.prepared
        let member = try Household.member(asked.rule.member, in: try answers.reply(MemberList.self))
        let isChild = member.role == .child
        let isLooser = try loosened(asked, answers: answers, book: book) != nil
        if isChild || isLooser {
            guard let proof = try answers.reply(AuthProve.self) else {
                throw Problem(
                    "unavailable",
                    "The service did not send the required request to auth-service. Try again.",
                    key: "unavailable.auth-service-was",
                    retryable: true
                )
            }
            if let refusal = proof.refusal {
                return RequestRuleSet.Reply(
                    rule: book.rule(of: member.name, isChild: isChild),
                    refusal: refusal
                )
            }
        }
        let waitMs = isChild || !isLooser ? 0 : try answers.reply(RuleDelay.self)?.delayMs ?? 0
        var own =
            book.rules[member.name]
            ?? CustomRequestRule(CustomRequestRule.standard(member.name, isChild: isChild))
        let moment = own.change(
            to: asked.rule,
            after: .milliseconds(waitMs),
            context.now,
            bootID: context.bootID
        )
        let old = book.rule(of: member.name, isChild: isChild)
        book.rules[member.name] = own
        lengthen(old, new: own.rule, day: RequestAdding.day(context, book), in: &book)
        return RequestRuleSet.Reply(rule: asked.rule, fromWallMs: moment?.wallMs)
    }
}

/// The rule that answers a member's requests without a guardian, and its pending change.
package struct CustomRequestRule: WireBody, Codable, Equatable {
    package var rule: RequestRule
    /// The looser rule that waits, and the moment from which on it applies.
    package var next: RequestRule?
    package var nextFrom: StableDeadline?

    package init(_ rule: RequestRule) { self.rule = rule }

    /// Returns the default rule: four grants a day of a quarter of an hour, after delays of 1, 2, 4 and 8 minutes.
    ///
    /// For a child the rule grants nothing, because a guardian answers.
    package static func standard(_ member: String, isChild: Bool) -> RequestRule {
        RequestRule(
            member: member,
            delayMs: 60_000,
            growthPercent: 100,
            mostMs: 900_000,
            aDay: isChild ? 0 : 4
        )
    }

    /// Returns the delay of the next grant, after `count` grants on the same day.
    package static func delay(_ rule: RequestRule, after count: Int) -> Duration {
        var delayMs = rule.delayMs
        for _ in 0..<min(count, 1_000) where delayMs < RequestRule.delayMsMax {
            delayMs = min(RequestRule.delayMsMax, delayMs * (100 + rule.growthPercent) / 100)
        }
        return .milliseconds(delayMs)
    }

    /// Returns text such as `15m at a time, 4 a day, the first after 1m`.
    package static func text(_ rule: RequestRule) -> Message {
        guard rule.aDay > 0 else {
            return Message("history-value.guardian-answers", "only a guardian answers")
        }
        return Message(
            "history-value.request-rule",
            """
            \(MessageValue.duration(ms: rule.mostMs), "most") at a time, \(rule.aDay, "count") a day, the \
            first after \(MessageValue.duration(ms: rule.delayMs), "delay"), each further delay \
            \(rule.growthPercent, "percent")% longer
            """
        )
    }

    /// Returns why the present rule refuses a request whose moment has come. Returns `nil` if the rule grants it.
    package static func refusal(of request: MoreTimeRequest, in book: MoreTimeRequests, day: String)
        -> Message?
    {
        let rule = book.rule(of: request.member, isChild: request.isChild)
        if rule.aDay == 0 {
            return Message(
                "request.rule-grants-nothing",
                "The rule no longer grants any time without a guardian."
            )
        }
        if request.duration > .milliseconds(rule.mostMs) {
            return Message(
                "request.rule-grants-at-most",
                "The rule now grants at most \(MessageValue.duration(ms: rule.mostMs), "most") at a time."
            )
        }
        guard book.granted(request.member, day: day) >= rule.aDay else { return nil }
        return Message(
            "request.rule-grants-times-a-day",
            count: Int(clamping: rule.aDay),
            one: "The rule now grants more time only once a day.",
            other: "The rule now grants more time only \(rule.aDay, "count") times a day."
        )
    }

    /// Applies the stricter parts immediately. The rest waits: returns its moment, or `nil` if nothing waits.
    package mutating func change(
        to new: RequestRule,
        after wait: Duration,
        _ now: TimeReading,
        bootID: String
    ) -> StableDeadline? {
        next = nil
        nextFrom = nil
        guard wait > .zero, new.isLooser(than: rule) else {
            rule = new
            return nil
        }
        rule = new.stricter(rule)
        next = new
        nextFrom = StableDeadline(afterMs: wait.ms, from: now, bootID: bootID)
        return nextFrom
    }
}
