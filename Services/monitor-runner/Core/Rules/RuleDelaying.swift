import STContracts
import STEngine
import STPlatform

/// The routes of changes that wait.
enum RuleDelaying {
    static let routes: [ServiceRoute<MonitorState>] = [
        .write(RuleDelay.self, after: MemberList.self, of: .auth, ask: { _ in Empty() }) {
            state,
            request,
            household,
            context,
            change in
            let member = try RuleService.member(request.member, household?.members ?? [])
            return try RuleService.changing(&state, change) { book in
                var delay = book.delays[member.name] ?? MemberDelay()
                if let delayMs = request.delayMs {
                    try delay.set(delayMs, context.now, bootID: context.bootID)
                    book.delays[member.name] = delay
                }
                return RuleDelay.Reply(
                    member: member.name,
                    delayMs: delay.delayMs,
                    nextDelayMs: delay.nextMs,
                    nextFromWallMs: delay.nextFrom?.wallMs
                )
            }
        }
    ]

    static let steps: [ServiceRoute<MonitorState>] = [
        .read(RuleWaitingDue.self) { state, _, context in
            let due = RuleWaiting.due(state.rules, bootID: context.bootID)
            return RuleWaitingDue.Reply(
                isDue: due.isReached(at: context.now),
                wallMs: due.wallMs,
                bootMs: due.bootMs
            )
        },
        .write(RuleWaitingApply.self) { state, _, context, change in
            let dropped = try RuleService.changing(&state, change) { book in
                let dropped = RuleWaiting.apply(context, in: &book)
                book.settleShields(nowMs: change.now.wallMs, cause: change.cause)
                return dropped
            }
            return RuleWaitingApply.Reply(dropped: dropped)
        },
    ]
}
