import STContracts
import STEngine
import STFollowing
import STPlatform

/// The routes of the rules that people make without writing code.
enum RuleRoutes {
    static let all: [ServiceRoute<MonitorState>] = [
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
            let member = try member(request.member, household?.members ?? [])
            let rule = try editing(&state, change) { book in
                try RuleWaiting.add(request, for: member, context, to: &book)
            }
            return reply(rule, state, context)
        },
        .write(RuleEdit.self) { state, request, context, change in
            let rule = try editing(&state, change) { book in
                try RuleWaiting.edit(request, context, in: &book)
            }
            return reply(rule, state, context)
        },
        .read(RuleList.self) { state, request, context in try list(request, state, context) },
        .write(RuleRemove.self) { state, request, context, change in
            let rule = try RuleEditing.existing(request.name, in: state.rules)
            let view = RuleText.view(rule, state.rules, context)
            var kept: Rule?
            try editing(&state, change) { book in
                kept = RuleWaiting.remove(rule, context, in: &book)
                return rule
            }
            return RuleRemove.Reply(rule: kept.map { RuleText.view($0, state.rules, context) } ?? view)
        },
        .write(RulePause.self) { state, request, context, change in
            let rule = try editing(&state, change) { book in
                try RuleWaiting.pause(request, context, in: &book)
            }
            return RulePause.Reply(rule: RuleText.view(rule, state.rules, context))
        },
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
            let member = try member(request.member, household?.members ?? [])
            return try delay(request, of: member.name, &state, context, change)
        },
    ]

    /// Changes a rule, and with it what it shields.
    @discardableResult
    private static func editing(
        _ state: inout MonitorState,
        _ change: StoreTransaction,
        _ body: (inout RuleBook) throws -> Rule
    ) throws -> Rule {
        try state.changeRules(change) { book in
            let rule = try body(&book)
            book.settleShields(nowMs: change.now.wallMs, only: rule, cause: change.cause)
            return rule
        }
    }

    /// The member that a request means; nil means the first one, the owner.
    private static func member(_ name: String?, _ members: [Member]) throws(Problem) -> Member {
        guard let name else {
            if let owner = members.first { return owner }
            throw Problem(
                "member.unknown",
                Household.unsaid.message,
                field: "/member",
                help: "screentime member list"
            )
        }
        if let member = members.first(where: { $0.name == name }) { return member }
        var problem = Household.unknown(name)
        if let near = TextFormat.closest(to: name, in: members.map(\.name)) {
            problem.message = "\(problem.message.dropLast()); did you mean \(near)?"
        }
        throw problem
    }

    private static func reply(_ rule: Rule, _ state: MonitorState, _ context: RequestContext) -> RuleAdd.Reply
    {
        RuleAdd.Reply(rule: RuleText.view(rule, state.rules, context), notes: RuleText.notes(rule))
    }

    private static func list(
        _ request: RuleList.Request,
        _ state: MonitorState,
        _ context: RequestContext
    ) throws -> RuleList.Reply {
        let kind = try request.kind?.required("/kind")
        let rules = state.rules.sorted.filter {
            (kind == nil || $0.spec.kind == kind) && (request.member == nil || $0.member == request.member)
        }
        let page = try OffsetPage.slice(
            rules.map { RuleText.view($0, state.rules, context) },
            next: request.next
        )
        return RuleList.Reply(rules: page.rows, next: page.next)
    }

    private static func delay(
        _ request: RuleDelay.Request,
        of member: String,
        _ state: inout MonitorState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> RuleDelay.Reply {
        try state.changeRules(change) { book in
            var delay = book.delays[member] ?? MemberDelay()
            if let delayMs = request.delayMs {
                try delay.set(delayMs, context.now, bootID: context.bootID)
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
