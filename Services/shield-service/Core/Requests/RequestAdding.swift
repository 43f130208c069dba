import STContracts
import STDomain
import STEngine
import STPlatform

/// Asking for more time.
enum RequestAdding {
    static func add(
        _ request: RequestAdd.Request,
        _ context: RequestContext,
        to book: inout RequestBook
    ) throws -> (request: MoreTime, notes: [ActivityNote]) {
        let checked = try RequestCheck.checked(request)
        let household = try context.prepared.of(MemberList.self)
        let member = try RequestPeople.member(checked.member, household)
        let isChild = member.role == .child
        let waiting = book.waiting(of: member.name)
        if let same = waiting.first(where: { Set($0.items) == Set(checked.items) }) {
            throw Problem(
                "request.exists",
                "\(same.name) asks for the same already. Take that one back first to ask anew.",
                help: "screentime request revoke \(same.name)"
            )
        }
        guard waiting.count < RequestBook.waitingMax else {
            throw Problem(
                "request.too_many",
                "\(member.name) has \(RequestBook.waitingMax) requests waiting, which is the limit. "
                    + "Take one back first.",
                help: "screentime request list"
            )
        }
        book.lastNumber += 1
        var made = MoreTime(
            number: book.lastNumber,
            member: member.name,
            isChild: isChild,
            items: checked.items,
            durationMs: checked.durationMs,
            because: checked.because,
            shield: checked.shield,
            askedMs: context.now.wallMs
        )
        let guardians = RequestPeople.guardians(household, besides: member.name)
        var notes: [ActivityNote] = []
        switch own(made, context, book) {
        case .waits(let moment): made.grants = moment
        case .no(let problem):
            // Somebody else may still say yes.
            guard isChild || !guardians.isEmpty else { throw problem }
            if !isChild { notes.append(ActivityNote(code: problem.code, text: problem.message)) }
            notes += forGuardians(guardians)
        }
        book.requests[made.number] = made
        return (made, notes)
    }

    private enum Own {
        case waits(SteadyMoment)
        case no(Problem)
    }

    /// What the person's own rule says to a request.
    private static func own(_ request: MoreTime, _ context: RequestContext, _ book: RequestBook) -> Own {
        let rule = book.rule(of: request.member, isChild: request.isChild)
        let help = "screentime request edit --help"
        guard rule.aDay > 0 else {
            return .no(
                Problem("request.no_rule", "No rule grants more time by itself here.", help: help)
            )
        }
        guard request.durationMs <= rule.mostMs else {
            return .no(
                Problem(
                    "request.too_long",
                    "Your own rule grants at most \(TextFormat.duration(ms: rule.mostMs)) at a time.",
                    field: "/duration_ms",
                    help: help
                )
            )
        }
        let spent = book.spokenFor(request.member, day: day(context, book))
        guard spent < rule.aDay else {
            let times = rule.aDay == 1 ? "once" : "\(rule.aDay) times"
            return .no(
                Problem(
                    "request.day_used_up",
                    "Your own rule grants more time \(times) a day, and that is used up. There is more tomorrow.",
                    help: help
                )
            )
        }
        let delayMs = OwnRule.delayMs(rule, after: spent)
        return .waits(SteadyMoment(afterMs: delayMs, from: context.now, bootID: context.bootID))
    }

    private static func forGuardians(_ guardians: [String]) -> [ActivityNote] {
        guard guardians.isEmpty else { return [] }
        return [
            ActivityNote(
                code: "request.no_guardian",
                text: "Nobody can answer yet: this household has no guardian. Add one and set a passcode: "
                    + "screentime member add NAME --role guardian"
            )
        ]
    }

    /// The local day, such as `2026-11-20`, by a clock that nobody can set forward.
    static func day(_ context: RequestContext, _ book: RequestBook) -> String {
        let wallMs = book.dayClock?.wallMs(context.now, bootID: context.bootID) ?? context.now.wallMs
        return LocalDay(zone: context.zone).day(ofWallMs: wallMs).text
    }
}
