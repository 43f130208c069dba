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
}
