import STContracts
import STEngine
import STPlatform

/// The routes of the built-in rules.
enum RuleService {
    static let routes: [ServiceRoute<MonitorState>] = [
        .write(RuleAdd.self, after: MemberList.self, of: .auth, ask: { _ in Empty() }) {
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
    ]

    /// Changes a rule, and with it what it shields.
    @discardableResult
    private static func editing(
        _ state: inout MonitorState,
        _ change: StoreTransaction,
        _ body: (inout RuleBook) throws -> Rule
    ) throws -> Rule {
        try changing(&state, change) { book in
            let rule = try body(&book)
            book.settleShields(nowMs: change.now.wallMs, only: rule, cause: change.cause)
            return rule
        }
    }

    /// Changes the book and writes down what became different.
    static func changing<Result>(
        _ state: inout MonitorState,
        _ change: StoreTransaction,
        _ body: (inout RuleBook) throws -> Result
    ) throws -> Result {
        var book = state.rules
        let result = try body(&book)
        try RuleStore.save(book, after: state.rules, change.database)
        state.rules = book
        return result
    }

    static func member(_ name: String?, _ members: [Member]) throws(Problem) -> Member {
        let found = members.first { $0.name == name }
        guard let member = name == nil ? members.first : found else {
            let near = name.flatMap { TextFormat.closest(to: $0, in: members.map(\.name)) }
            throw Problem(
                "member.unknown",
                "Nobody of the household is called \(name ?? "")"
                    + (near.map { "; did you mean \($0)?" } ?? "."),
                field: "/member",
                help: "screentime member list"
            )
        }
        return member
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

    static func take(_ watched: RuleWatched, in book: inout RuleBook) {
        switch watched {
        case .started(let start, let problem):
            guard let member = start.member else { return }
            let place = RuleBook.Place(member: member, activity: start.activity)
            book.watches[place] = RuleBook.Watch(request: start, problem: problem)
        case .stopped(let stop):
            guard let member = stop.member else { return }
            for activity in stop.activities {
                book.watches[RuleBook.Place(member: member, activity: activity)] = nil
            }
        }
    }

    static func held(_ book: RuleBook, nowMs: Int64) -> RuleHeld {
        let holding = book.sorted.filter { !$0.held.isEmpty }
        let next = holding.filter { $0.isPaused(nowMs: nowMs) }.compactMap(\.pausedUntilMs).min()
        guard let rule = holding.first(where: { !$0.isPaused(nowMs: nowMs) }), let held = rule.held.first
        else {
            return RuleHeld(nextWallMs: next)
        }
        return RuleHeld(
            rule: rule.id,
            post: held.post,
            isCurrent: nowMs < held.untilMs,
            nextWallMs: next
        )
    }
}
