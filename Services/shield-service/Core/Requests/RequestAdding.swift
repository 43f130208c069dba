import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Creates requests for more time.
enum RequestAdding {
    static func add(
        _ request: RequestAdd.Request,
        _ context: RequestContext,
        to book: inout MoreTimeRequests
    ) throws -> (request: MoreTimeRequest, notes: [ActivityNote]) {
        let checked = try RequestCheck.checked(request)
        let household = try context.prepared.reply(MemberList.self)
        let member = try Household.member(checked.member, in: household)
        let isChild = member.role == .child
        let waiting = book.waiting(of: member.name)
        if let same = waiting.first(where: { Set($0.items) == Set(checked.items) }) {
            throw Problem(
                "request.exists",
                """
                The request \(same.name, "name") for the same apps, categories or sites is still waiting. \
                Withdraw it before you ask again.
                """,
                help: "screentime request revoke \(same.name)"
            )
        }
        guard waiting.count < MoreTimeRequests.waitingMax else {
            throw Problem(
                "request.too_many",
                """
                \(member.name, "name") has \(MoreTimeRequests.waitingMax, "most") waiting requests, which is the \
                maximum. Withdraw one first.
                """,
                help: "screentime request list"
            )
        }
        book.lastNumber += 1
        var made = MoreTimeRequest(
            number: book.lastNumber,
            member: member.name,
            isChild: isChild,
            items: checked.items,
            duration: .milliseconds(checked.durationMs),
            because: checked.because,
            shield: checked.shield,
            asked: context.now.wall
        )
        let guardians = (household?.members ?? []).filter { $0.role == .guardian && $0.name != member.name }
            .map(\.name)
        let answering = guardians.filter { household?.provers?.contains($0) ?? true }
        var notes: [ActivityNote] = []
        let day = Self.day(context, book)
        if checked.shield != nil, made.duration <= MoreOffer.oneMinute,
            book.hasFreeMinute(member.name, made.items, day: day)
        {
            made.minuteDay = day
        }
        switch automaticGrant(made, context: context, book: book) {
        case .waits(let moment): made.grants = moment
        case .refused(let problem):
            // A guardian may still grant the request.
            guard isChild || !answering.isEmpty else { throw problem }
            if !isChild { notes.append(ActivityNote(code: problem.code, text: problem.text)) }
            if answering.isEmpty { notes.append(unanswered(guardians)) }
            let rule = book.rule(of: member.name, isChild: isChild)
            made.expires = StableDeadline(
                afterMs: rule.expiresMs ?? RequestRule.expiresMs,
                from: context.now,
                bootID: context.bootID
            )
        }
        book.requests[made.number] = made
        return (made, notes)
    }

    private enum AutomaticGrant {
        case waits(StableDeadline)
        case refused(Problem)
    }

    /// Returns the answer of the person's own rule to a request.
    private static func automaticGrant(
        _ request: MoreTimeRequest,
        context: RequestContext,
        book: MoreTimeRequests
    ) -> AutomaticGrant {
        guard request.minuteDay == nil else {
            return .waits(StableDeadline(afterMs: 0, from: context.now, bootID: context.bootID))
        }
        let rule = book.rule(of: request.member, isChild: request.isChild)
        let help = "screentime request edit --help"
        guard rule.aDay > 0 else {
            return .refused(
                Problem(
                    "request.no_rule",
                    "No rule on this computer grants more time automatically.",
                    help: help
                )
            )
        }
        guard request.duration <= .milliseconds(rule.mostMs) else {
            return .refused(
                Problem(
                    "request.too_long",
                    "Your own rule grants at most \(MessageValue.duration(ms: rule.mostMs), "most") at a time.",
                    field: "/duration_ms",
                    help: help
                )
            )
        }
        let spent = book.reserved(request.member, day: day(context, book))
        guard spent < rule.aDay else {
            return .refused(
                Problem(
                    "request.day_used_up",
                    text: Message(
                        "request.day_used_up.own-rule",
                        count: Int(rule.aDay),
                        one: """
                            Your own rule grants more time once a day. Today's grant is used up. Try again \
                            tomorrow.
                            """,
                        other: """
                            Your own rule grants more time \(rule.aDay, "count") times a day. Today's grants \
                            are used up. Try again tomorrow.
                            """
                    ),
                    help: help
                )
            )
        }
        let delay = CustomRequestRule.delay(rule, after: spent)
        return .waits(StableDeadline(afterMs: delay.ms, from: context.now, bootID: context.bootID))
    }

    private static func unanswered(_ guardians: [String]) -> ActivityNote {
        let text =
            guardians.first.map {
                Message(
                    "request.no_guardian.has-no-passcode",
                    """
                    \($0, "guardian") needs a passcode to answer. To set it: screentime member passcode \
                    \($0, "guardian")
                    """
                )
            }
            ?? Message(
                "request.no_guardian.no-guardian-yet",
                """
                This household has no guardian who can answer. Add one and set a passcode: screentime member \
                add NAME --role guardian
                """
            )
        return ActivityNote(code: "request.no_guardian", text: text)
    }

    /// Returns the local day, such as `2026-11-20`, by a clock that cannot be set forward.
    static func day(_ context: RequestContext, _ book: MoreTimeRequests) -> String {
        let wall = book.dayClock?.wall(context.now, bootID: context.bootID) ?? context.now.wall
        return LocalDay(zone: context.zone).day(ofWallMs: wall.ms).text
    }
}

/// Checks the contents of a request for more time.
enum RequestCheck {
    /// Upper bound on the items of one request. Apple has the same bound for one setting.
    static let itemsMax = 50
    static let wordsBytesMax = 500
    static let shieldBytesMax = 128

    /// Returns the request with its items in the form in which they are stored.
    static func checked(_ request: RequestAdd.Request) throws -> RequestAdd.Request {
        var checked = request
        try duration(.milliseconds(request.durationMs))
        guard request.items.count <= itemsMax else {
            throw Problem(
                "request.bad_items",
                """
                A request can name at most \(itemsMax, "most") apps, categories and sites. A request that \
                names none is for everything.
                """,
                field: "/items"
            )
        }
        checked.items = try ItemCheck.checked(request.items, "/items", code: "request.bad_items")
        checked.because = try words(request.because, "/because")
        if let shield = request.shield,
            shield.isEmpty || shield.utf8.count > shieldBytesMax || !shield.isPlain
        {
            throw Problem(
                "request.bad_shield",
                """
                The name of a shield must have 1 to \(shieldBytesMax, "bytes") bytes and no control \
                characters.
                """,
                field: "/shield"
            )
        }
        return checked
    }

    static func duration(_ length: Duration) throws(Problem) {
        guard RequestRule.grantMs.contains(length.ms) else {
            throw Problem(
                "request.bad_duration",
                "The time to grant must be from 1 s to 24 h.",
                field: "/duration_ms"
            )
        }
    }

    /// Returns a person's text, or `nil` if it is empty.
    static func words(_ text: String?, _ field: String) throws(Problem) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= wordsBytesMax, text.isPlain else {
            throw Problem(
                "request.bad_words",
                "A reason has at most \(wordsBytesMax, "bytes") bytes and no control characters.",
                field: field
            )
        }
        return text
    }
}
