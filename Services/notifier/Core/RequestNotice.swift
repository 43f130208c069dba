package import STContracts
package import STEngine
import STFollowing
package import STPlatform

/// Notifications about requests for more time: to the guardians who can answer, and to the person who asked.
package enum RequestNotice {
    package static let approve = "approve"
    package static let deny = "deny"
    private static let prefix = "request-"

    /// The request that a notification asks about; nil for other notifications.
    package static func request(of posted: PostedNotification) -> String? {
        guard posted.app == BuiltInRules.app, posted.id.hasPrefix(prefix), posted.actions?.isEmpty == false
        else {
            return nil
        }
        return String(posted.id.dropFirst(prefix.count))
    }

    /// Asks again after an answer that did not count, and says why.
    package static func again(
        _ posted: PostedNotification,
        _ problem: Problem,
        _ state: NotifierState,
        _ change: StoreTransaction
    ) throws {
        // It may have been answered elsewhere, or ended, meanwhile.
        guard problem.code != "request.not_waiting" else { return }
        let lines = posted.body.split(separator: "\n").filter { !$0.hasPrefix(failed) }.map(String.init)
        try post(
            to: posted.member,
            id: posted.id,
            posted.title,
            lines + ["\(failed)\(problem.message)"],
            posted.actions,
            state,
            change
        )
    }

    private static let failed = "Not answered: "

    static func take(_ news: RequestNews, _ state: NotifierState, _ change: StoreTransaction) throws {
        let request = news.request
        // The person's own rule answers all other requests.
        let isForGuardian = request.grantsAt == nil && request.answeredBy != RequestView.ownRule
        guard isForGuardian, state.household.contains(request.member) else { return }
        for guardian in state.household.members
        where guardian.role == .guardian && guardian.name != request.member {
            guard request.state == .waiting else {
                let known = NotifyWithdraw.Request(
                    app: BuiltInRules.app,
                    member: guardian.name,
                    ids: [prefix + request.request]
                )
                _ = try NoticeJournal.withdraw(known, state, change)
                continue
            }
            try post(
                to: guardian.name,
                id: prefix + request.request,
                "\(request.member) asks for \(news.what)",
                [
                    request.because.map { "“\($0)”" },
                    "To answer: screentime request approve \(request.request), or deny \(request.request).",
                ],
                [NotifyAction(id: approve, label: "Approve…"), NotifyAction(id: deny, label: "Deny…")],
                state,
                change
            )
        }
        let answer: String
        switch request.state {
        case .granted: answer = "Granted: \(news.what)"
        case .denied: answer = "Not granted: \(news.what)"
        case .expired: answer = "Not answered in time: \(news.what)"
        case .waiting, .revoked, .ended, .withdrawn, .unknown: return
        }
        try post(
            to: request.member,
            id: "answer-\(request.request)",
            answer,
            [
                request.answer.map { "“\($0)”" },
                request.answeredBy.map {
                    $0 == RequestView.ownRule ? "Your own rule answered." : "\($0) answered."
                },
            ],
            nil,
            state,
            change
        )
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
