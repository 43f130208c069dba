package import STContracts
import STDomain
package import STEngine
import STFollowing
package import STPlatform

/// Notifications about requests for more time: to the guardians who can answer, and to the person who made the request.
package enum RequestNotice {
    /// Posts the question again after an answer that was rejected, with the reason.
    package static func again(
        _ posted: PostedNotification,
        _ problem: Problem,
        _ state: NotifierState,
        _ change: StoreTransaction
    ) throws {
        // The request may have been answered elsewhere, or ended, in the meantime.
        guard problem.code != "request.not_waiting" else { return }
        try post(
            to: posted.member,
            id: posted.id,
            posted.title,
            [posted.askedAgain(problem, in: state.language).body],
            posted.actions,
            state,
            change
        )
    }

    static func take(_ news: RequestNews, _ state: NotifierState, _ change: StoreTransaction) throws {
        let request = news.request
        // The machine that granted the request notifies the person.
        guard state.household.contains(request.member), request.device == nil else { return }
        // The person's own rule answers all other requests.
        if request.grantsAt == nil, request.answeredBy != RequestView.ownRule {
            let guardians = state.household.members.filter {
                $0.role == .guardian && $0.name != request.member
            }
            for guardian in guardians { try tell(guardian: guardian.name, news, state, change) }
        }
        try tellAsker(news, state, change)
    }

    /// Notifies a guardian of a request, and withdraws the notification once the request is answered or over.
    ///
    /// `machine` is the other machine on which the guardian answers. `nil` is this one.
    static func tell(
        guardian: String,
        _ news: RequestNews,
        on machine: String? = nil,
        _ state: NotifierState,
        _ change: StoreTransaction
    ) throws {
        let request = news.request
        let name = request.request
        let id = machine.map { "elsewhere-\($0)-\(name)" } ?? PostedNotification.requestPrefix + name
        guard request.state == .waiting else {
            let known = NotifyWithdraw.Request(app: BuiltInRules.app, member: guardian, ids: [id])
            _ = try NoticeJournal.withdraw(known, state, change)
            return
        }
        func say(_ key: String, _ text: MessageText) -> String { state.language.say(key, text) }
        let what = Self.what(news, state)
        let there = machine.map { " --machine " + ShellText.quoted($0) } ?? ""
        try post(
            to: guardian,
            id: id,
            machine.map { machine in
                say(
                    "request-notice.asks-for-on",
                    "\(request.member, "member") asks for \(what, "what") on \(machine, "machine")"
                )
            } ?? say("request-notice.asks-for", "\(request.member, "member") asks for \(what, "what")"),
            [
                request.because.map { "“\($0)”" },
                say(
                    "request-notice.to-answer-screentime-request",
                    """
                    To answer, run `screentime request approve \(name, "name")\(there, "there")` or \
                    `screentime request deny \(name, "name")\(there, "there")`.
                    """
                ),
            ],
            machine == nil
                ? [
                    NotifyAction(
                        id: PostedNotification.approve,
                        label: say("request-notice.approve", "Approve…")
                    ),
                    NotifyAction(id: PostedNotification.deny, label: say("request-notice.deny", "Deny…")),
                ] : nil,
            state,
            change
        )
    }

    private static func tellAsker(_ news: RequestNews, _ state: NotifierState, _ change: StoreTransaction)
        throws
    {
        let request = news.request
        switch request.state {
        case .granted, .denied, .expired: break
        // The person has just done this, or sees it on the shield.
        case .waiting, .revoked, .ended, .withdrawn, .unknown: return
        }
        let moments = MomentWords(
            fromMs: change.now.wallMs,
            zone: news.zone ?? LocalZone.identifier(),
            in: state.language
        )
        let name = request.request
        let by = request.answeredBy.map { by in
            by == RequestView.ownRule
                ? state.language.say(
                    "request-notice.your-own-rule-for",
                    "Your own rule for more time answered request \(name, "name")."
                )
                : state.language.say(
                    "request-notice.answered-request",
                    "\(by, "by") answered request \(name, "name")."
                )
        }
        try post(
            to: request.member,
            id: "answer-\(request.request)",
            "\(what(news, state)): \(request.standing(moments))",
            [by],
            nil,
            state,
            change
        )
    }

    private static func what(_ news: RequestNews, _ state: NotifierState) -> String {
        let time = TextFormat.duration(ms: news.request.durationMs, in: state.language)
        guard let things = news.things else {
            return state.language.say("request-notice.time-of-everything", "\(time, "time") of everything")
        }
        return state.language.say("request-notice.time-of", "\(time, "time") of \(things, "things")")
    }

    private static func post(
        to member: String,
        id: String,
        _ title: String,
        _ lines: [String?],
        _ actions: [NotifyAction]?,
        _ state: NotifierState,
        _ change: StoreTransaction
    ) throws {
        let request = NotifyPost.Request(
            app: BuiltInRules.app,
            member: member,
            id: id,
            title: TextFormat.fitting(title, bytes: NotifyPost.titleBytesMax),
            body: TextFormat.fitting(
                lines.compactMap(\.self).joined(separator: "\n"),
                bytes: NotifyPost.bodyBytesMax
            ),
            actions: actions
        )
        _ = try NoticeJournal.post(request, state, nil, change)
    }
}
