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

    static let steps: [ServiceRoute<MonitorState>] = [
        .read(RuleWatchNext.self) { state, _, _ in
            switch state.rules.nextStep {
            case .start(let request, let key): return .init(start: request, key: key)
            case .stop(let place):
                return .init(
                    stop: .init(app: BuiltInRules.app, member: place.member, activities: [place.activity])
                )
            case nil: return .init()
            }
        },
        .write(RuleWatchDone.self) { state, request, _, change in
            try changing(&state, change) { watched(request, in: &$0) }
            return Empty()
        },
        .write(RuleWatchCompare.self) { state, request, _, change in
            try changing(&state, change) { book in
                book.compare(with: request.actual)
                book.checkClosed(with: request.actual, nowMs: change.now.wallMs)
            }
            return Empty()
        },
        .write(RuleOpen.self) { state, request, _, change in
            try changing(&state, change) { book in
                for found in request.underWay { book.open(found) }
                book.settleShields(nowMs: change.now.wallMs)
            }
            return Empty()
        },
    ]

    /// What is told of callbacks that have come, in these words.
    static func telling(_ words: NoticeWords) -> [ServiceRoute<MonitorState>] {
        [
            .write(RuleDeliver.self) { state, request, _, change in
                // The rule may have gone while its callback was on the way.
                guard let rule = state.rules.rule(watching: request.occurrence.activity) else {
                    return RuleDeliver.Reply(posts: [], shields: [])
                }
                let outcome = RuleOutcome(rule, request.occurrence, delivery: request.delivery, words)
                try changing(&state, change) { book in
                    book.rules[rule.id] = outcome.rule
                    book.settleShields(nowMs: change.now.wallMs, only: rule, cause: request.delivery)
                }
                let asks = state.rules.openShields().filter { $0.cause == request.delivery }
                return RuleDeliver.Reply(posts: outcome.posts, shields: asks)
            },
            .read(RuleHeldNext.self) { state, _, context in
                heldNext(state.rules, nowMs: context.now.wallMs)
            },
            .write(RuleHeldDone.self) { state, request, _, change in
                try changing(&state, change) {
                    $0.rules[request.rule]?.held.removeAll { $0.post.id == request.id }
                }
                return Empty()
            },
        ]
    }

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

    private static func watched(_ request: RuleWatchDone.Request, in book: inout RuleBook) {
        if let start = request.start, let member = start.member {
            let place = RuleBook.Place(member: member, activity: start.activity)
            book.watches[place] = RuleBook.Watch(request: start, problem: request.problem)
        }
        if let stop = request.stop, let member = stop.member {
            for activity in stop.activities {
                book.watches[RuleBook.Place(member: member, activity: activity)] = nil
            }
        }
    }

    private static func heldNext(_ book: RuleBook, nowMs: Int64) -> RuleHeldNext.Reply {
        let holding = book.sorted.filter { !$0.held.isEmpty }
        let next = holding.filter { $0.isPaused(nowMs: nowMs) }.compactMap(\.pausedUntilMs).min()
        guard let rule = holding.first(where: { !$0.isPaused(nowMs: nowMs) }), let held = rule.held.first
        else {
            return RuleHeldNext.Reply(isCurrent: false, nextWallMs: next)
        }
        return RuleHeldNext.Reply(
            rule: rule.id,
            post: held.post,
            isCurrent: nowMs < held.untilMs,
            nextWallMs: next
        )
    }
}
