package import STContracts
import STDomain
package import STEngine
import STFollowing
package import STPlatform

/// Notifications about requests for more time: to the guardians who can answer, and to the person who made the request.
package enum RequestNotifications {
    /// Posts the question again after an answer that was rejected, with the reason.
    package static func repost(
        _ posted: PostedNotification,
        problem: Problem,
        state: NotifierState,
        change: StoreTransaction
    ) throws {
        // The request may have been answered elsewhere, or ended, in the meantime.
        guard problem.code != "request.not_waiting" else { return }
        try post(
            to: posted.member,
            id: posted.id,
            posted.title,
            lines: [posted.repeated(problem, in: state.language).body],
            actions: posted.actions,
            state: state,
            change: change
        )
    }

    static func handle(_ news: RequestUpdate, state: NotifierState, change: StoreTransaction) throws {
        let request = news.request
        // The machine that granted the request notifies the person.
        guard state.household.contains(request.member), request.device == nil else { return }
        // The person's own rule answers all other requests.
        if request.grantsAt == nil, request.answeredBy != RequestView.ownRule {
            let guardians = state.household.members.filter {
                $0.role == .guardian && $0.name != request.member
            }
            for guardian in guardians {
                try notifyGuardian(guardian: guardian.name, news, state: state, change: change)
            }
        }
        try notifyRequester(news, state: state, change: change)
    }

    /// Notifies a guardian of a request, and withdraws the notification once the request is answered or over.
    ///
    /// `machine` is the other machine on which the guardian answers. `nil` is this one.
    static func notifyGuardian(
        guardian: String,
        _ news: RequestUpdate,
        on machine: String? = nil,
        state: NotifierState,
        change: StoreTransaction
    ) throws {
        let request = news.request
        let name = request.request
        let id = machine.map { "elsewhere-\($0)-\(name)" } ?? PostedNotification.requestPrefix + name
        guard request.state == .waiting else {
            let known = NotifyWithdraw.Request(app: BuiltInRules.app, member: guardian, ids: [id])
            _ = try NoticeJournal.withdraw(known, state: state, change: change)
            return
        }
        func say(_ key: String, _ text: MessageText) -> String { state.language.text(key, text) }
        let what = Self.summary(news, state)
        let there = machine.map { " --machine " + ShellText.quote($0) } ?? ""
        try post(
            to: guardian,
            id: id,
            machine.map { machine in
                say(
                    "request-notice.asks-for-on",
                    "\(request.member, "member") asks for \(what, "what") on \(machine, "machine")"
                )
            } ?? say("request-notice.asks-for", "\(request.member, "member") asks for \(what, "what")"),
            lines: [
                request.because.map { "“\($0)”" },
                say(
                    "request-notice.to-answer-screentime-request",
                    """
                    To answer, run `screentime request approve \(name, "name")\(there, "there")` or \
                    `screentime request deny \(name, "name")\(there, "there")`.
                    """
                ),
            ],
            actions: machine == nil
                ? [
                    NotifyAction(
                        id: PostedNotification.approve,
                        label: say("request-notice.approve", "Approve…")
                    ),
                    NotifyAction(id: PostedNotification.deny, label: say("request-notice.deny", "Deny…")),
                ] : nil,
            state: state,
            change: change
        )
    }

    private static func notifyRequester(_ news: RequestUpdate, state: NotifierState, change: StoreTransaction)
        throws
    {
        let request = news.request
        switch request.state {
        case .granted, .denied, .expired: break
        // The person has just done this, or sees it on the shield.
        case .waiting, .revoked, .ended, .withdrawn, .unknown: return
        }
        let moments = MomentFormatter(
            fromMs: change.now.wallMs,
            zone: news.zone ?? LocalZone.identifier(),
            in: state.language
        )
        let name = request.request
        let by = request.answeredBy.map { by in
            by == RequestView.ownRule
                ? state.language.text(
                    "request-notice.your-own-rule-for",
                    "Your own rule for more time answered request \(name, "name")."
                )
                : state.language.text(
                    "request-notice.answered-request",
                    "\(by, "by") answered request \(name, "name")."
                )
        }
        try post(
            to: request.member,
            id: "answer-\(request.request)",
            "\(summary(news, state)): \(request.statusText(moments))",
            lines: [by],
            actions: nil,
            state: state,
            change: change
        )
    }

    private static func summary(_ news: RequestUpdate, _ state: NotifierState) -> String {
        let time = TextFormat.duration(ms: news.request.durationMs, in: state.language)
        guard let things = news.things else {
            return state.language.text("request-notice.time-of-everything", "\(time, "time") for everything")
        }
        return state.language.text("request-notice.time-of", "\(time, "time") of \(things, "things")")
    }

    private static func post(
        to member: String,
        id: String,
        _ title: String,
        lines: [String?],
        actions: [NotifyAction]?,
        state: NotifierState,
        change: StoreTransaction
    ) throws {
        let request = NotifyPost.Request(
            app: BuiltInRules.app,
            member: member,
            id: id,
            title: TextFormat.truncated(title, bytes: NotifyPost.titleBytesMax),
            body: TextFormat.truncated(
                lines.compactMap(\.self).joined(separator: "\n"),
                bytes: NotifyPost.bodyBytesMax
            ),
            actions: actions
        )
        _ = try NoticeJournal.post(request, state: state, context: nil, change: change)
    }
}
