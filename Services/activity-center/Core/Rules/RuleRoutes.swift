import STContracts
import STEngine
import STFollowing
import STPlatform
import STRules

/// The routes of the rules that people make without writing code.
enum RuleRoutes {
    static let all: [ServiceRoute<ActivityState>] = [
        .write(
            RuleAdd.self,
            reading: { $0 },
            after: MemberList.self,
            of: .service(.auth),
            ask: { _ in Empty() }
        ) {
            state,
            request,
            household,
            context,
            change in
            let member = try Household.member(request.rule.member, in: household)
            let rule = try editing(&state, context: context, change: change) { book in
                try ScheduledRuleChanges.add(request.rule, for: member, context, to: &book)
            }
            return reply(rule, state: state, context: context)
        }
        .after(
            .guardian(for: RuleAdd.self, Message("purpose.loosen-rule", "loosen a rule"), { $0.proof }) {
                _,
                asked,
                answers in
                RuleLoosening.isAdditionLooser(asked.rule)
                    ? try Household.member(asked.rule.member, in: answers.reply(MemberList.self)).name : nil
            }
        ),
        .write(RuleEdit.self) { state, request, context, change in
            try context.check(isOf: RuleEditing.existing(request.name, in: state.rules).member)
            let rule = try editing(&state, context: context, change: change) { book in
                try ScheduledRuleChanges.edit(request, context, in: &book)
            }
            return reply(rule, state: state, context: context)
        }
        .after(
            .guardian(for: RuleEdit.self, Message("purpose.loosen-rule", "loosen a rule"), { $0.proof }) {
                state,
                asked,
                _ in
                let rule = try RuleEditing.existing(asked.name, in: state.rules)
                var wanted = RuleEditing.wanted(asked, rule)
                if wanted.kind == .allow, wanted.then == rule.spec.then { wanted.then = nil }
                let spec = try RuleCheck.checked(wanted, for: Member(name: rule.member, role: .individual))
                return RuleLoosening.isLooser(from: rule.spec, to: spec) ? rule.member : nil
            }
        ),
        .read(RuleList.self) { state, request, context in try list(request, state: state, context: context) },
        .write(RuleRemove.self) { state, request, context, change in
            let rule = try RuleEditing.existing(request.name, in: state.rules)
            try context.check(isOf: rule.member)
            let view = RuleText.view(rule, book: state.rules, context: context)
            var kept: Rule?
            try editing(&state, context: context, change: change) { book in
                kept = ScheduledRuleChanges.remove(rule, context, in: &book)
                return rule
            }
            return RuleRemove.Reply(
                rule: kept.map { RuleText.view($0, book: state.rules, context: context) } ?? view
            )
        }
        .after(
            .guardian(for: RuleRemove.self, Message("purpose.loosen-rule", "loosen a rule"), { $0.proof }) {
                state,
                asked,
                _ in
                let rule = try RuleEditing.existing(asked.name, in: state.rules)
                return RuleLoosening.isRemovalLooser(rule.spec) ? rule.member : nil
            }
        ),
        .write(RulePause.self) { state, request, context, change in
            let named = try RuleEditing.existing(request.name, in: state.rules)
            try context.check(isOf: named.member)
            // An adult pupil could pause without a guardian. The teacher would not see it, because pauses are not shared.
            guard request.forMs == 0 || !state.rules.sharing.isLesson(named.id) else {
                throw Problem(
                    "rule.lesson",
                    "A teacher's lesson cannot be paused. It ends at its scheduled time.",
                    field: "/name"
                )
            }
            let rule = try editing(&state, context: context, change: change) { book in
                try ScheduledRuleChanges.pause(request, context, in: &book)
            }
            return RulePause.Reply(rule: RuleText.view(rule, book: state.rules, context: context))
        }
        .after(
            .guardian(for: RulePause.self, Message("purpose.loosen-rule", "loosen a rule"), { $0.proof }) {
                state,
                asked,
                _ in
                let rule = try RuleEditing.existing(asked.name, in: state.rules)
                return asked.forMs > 0 && RuleLoosening.isRemovalLooser(rule.spec) ? rule.member : nil
            }
        ),
        .write(
            RuleDelay.self,
            reading: { $0 },
            after: MemberList.self,
            of: .service(.auth),
            ask: { _ in Empty() }
        ) {
            state,
            request,
            household,
            context,
            change in
            let member = try Household.member(request.member, in: household)
            return try delay(request, of: member.name, state: &state, context: context, change: change)
        }
        .after(
            .guardian(for: RuleDelay.self, Message("purpose.loosen-rule", "loosen a rule"), { $0.proof }) {
                state,
                asked,
                answers in
                guard let delayMs = asked.delayMs else { return nil }
                let member = try Household.member(asked.member, in: answers.reply(MemberList.self)).name
                return delayMs < state.rules.delays[member]?.delayMs ?? 0 ? member : nil
            }
        ),
    ]

    /// Changes a rule, and updates its activities and its decision. Returns the changed rule.
    @discardableResult
    private static func editing(
        _ state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction,
        body: (inout RuleState) throws -> Rule
    ) throws -> Rule {
        try state.rules.requireCopiedRules()
        let rule = try state.changeRules(change, by: try context.prepared.guardian(), body)
        try RuleSteps.reconcile(&state, context: context, change: change)
        return state.rules.rules[rule.id] ?? rule
    }

    private static func reply(_ rule: Rule, state: ActivityState, context: RequestContext)
        -> RuleAdd.Reply
    {
        RuleAdd.Reply(
            rule: RuleText.view(rule, book: state.rules, context: context),
            notes: RuleText.notes(rule)
        )
    }

    private static func list(
        _ request: RuleList.Request,
        state: ActivityState,
        context: RequestContext
    ) throws -> RuleList.Reply {
        let kind = try request.kind?.required("/kind")
        try state.rules.requireCopiedRules()
        let rules = state.rules.sorted.filter {
            (kind == nil || $0.spec.kind == kind) && (request.member == nil || $0.member == request.member)
        }
        let page = try OffsetPage.slice(
            rules.map { RuleText.view($0, book: state.rules, context: context) },
            next: request.next
        )
        return RuleList.Reply(rules: page.rows, next: page.next)
    }

    private static func delay(
        _ request: RuleDelay.Request,
        of member: String,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> RuleDelay.Reply {
        try state.rules.requireCopiedRules()
        let prover = try context.prepared.guardian()
        return try state.changeRules(change, by: prover) { book in
            var delay = book.delays[member] ?? MemberDelay()
            if let delayMs = request.delayMs {
                try delay.set(.milliseconds(delayMs), context.now, bootID: context.bootID)
                delay.nextBy = delay.nextMs == nil ? nil : prover
                book.delays[member] = delay
            }
            return RuleDelay.Reply(
                member: member,
                delayMs: delay.delayMs,
                nextDelayMs: delay.nextMs,
                nextFromWallMs: delay.nextFrom?.wallMs
            )
        }
    }
}
