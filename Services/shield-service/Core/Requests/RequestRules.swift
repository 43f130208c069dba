import STContracts
import STEngine
import STPlatform

/// Looking at and changing the rule that answers a member's own requests.
enum RequestRules {
    static func show(_ asked: RequestRuleShow.Request, _ context: RequestContext, _ book: RequestBook) throws
        -> RequestRuleState
    {
        let member = try RequestPeople.member(asked.member, try context.prepared.of(MemberList.self))
        let stored = book.rules[member.name]
        return RequestRuleState(
            rule: book.rule(of: member.name, isChild: member.role == .child),
            next: stored?.next,
            nextFromWallMs: stored?.nextFrom?.wallMs,
            grantedToday: Int64(book.granted(member.name, day: RequestAdding.day(context, book)))
        )
    }

    /// What the member's rules wait before they become looser; nil when that does not matter.
    static func delay(
        _ asked: RequestRuleSet.Request,
        _ answers: PreparedAnswers,
        _ book: RequestBook
    ) throws -> RuleDelay.Request? {
        guard let member = try loosened(asked, answers, book), member.role != .child else { return nil }
        return RuleDelay.Request(member: member.name)
    }

    /// A child's rule is a guardian's to change, and one's own becomes looser with one's own passcode if one is set.
    static func proof(
        _ asked: RequestRuleSet.Request,
        _ answers: PreparedAnswers,
        _ book: RequestBook
    ) throws -> AuthProve.Request? {
        let member = try RequestPeople.member(asked.rule.member, try answers.of(MemberList.self))
        guard try member.role == .child || loosened(asked, answers, book) != nil else { return nil }
        return AuthProve.Request(
            member: member.name,
            by: asked.by,
            passcode: asked.passcode,
            purpose: "change how requests of \(member.name) are answered"
        )
    }

    private static func loosened(
        _ asked: RequestRuleSet.Request,
        _ answers: PreparedAnswers,
        _ book: RequestBook
    ) throws -> Member? {
        try OwnRule.check(asked.rule)
        let member = try RequestPeople.member(asked.rule.member, try answers.of(MemberList.self))
        let rule = book.rule(of: member.name, isChild: member.role == .child)
        return OwnRule.isLooser(from: rule, to: asked.rule) ? member : nil
    }

    /// What waits already waits as long as it would under a rule that lets it wait longer.
    private static func lengthen(
        _ old: RequestRule,
        _ new: RequestRule,
        _ day: String,
        in book: inout RequestBook
    ) {
        let waiting = book.waiting(of: new.member).filter { $0.grants != nil }.sorted {
            $0.number < $1.number
        }
        for (place, request) in waiting.enumerated() {
            let count = book.granted(new.member, day: day) + place
            let moreMs = OwnRule.delayMs(new, after: count) - OwnRule.delayMs(old, after: count)
            if moreMs > 0 { book.requests[request.number]?.grants?.lengthen(byMs: moreMs) }
        }
    }

    static func set(
        _ asked: RequestRuleSet.Request,
        _ context: RequestContext,
        in book: inout RequestBook
    ) throws -> RequestRuleSet.Reply {
        try OwnRule.check(asked.rule)
        let answers = context.prepared
        let member = try RequestPeople.member(asked.rule.member, try answers.of(MemberList.self))
        let isChild = member.role == .child
        let isLooser = try loosened(asked, answers, book) != nil
        if isChild || isLooser {
            guard let proof = try answers.of(AuthProve.self) else {
                throw Problem("unavailable", "auth-service was not asked; try again.", retryable: true)
            }
            if let refusal = proof.refusal {
                return RequestRuleSet.Reply(
                    rule: book.rule(of: member.name, isChild: isChild),
                    refusal: refusal
                )
            }
        }
        let waitMs = isChild || !isLooser ? 0 : try answers.of(RuleDelay.self)?.delayMs ?? 0
        var own = book.rules[member.name] ?? OwnRule(OwnRule.standard(member.name, isChild: isChild))
        let moment = own.change(to: asked.rule, waitMs: waitMs, context.now, bootID: context.bootID)
        let old = book.rule(of: member.name, isChild: isChild)
        book.rules[member.name] = own
        lengthen(old, own.rule, RequestAdding.day(context, book), in: &book)
        return RequestRuleSet.Reply(rule: asked.rule, fromWallMs: moment?.wallMs)
    }
}
