import STContracts
import STEngine
import STPlatform

/// The answers of people to notifications, and the display of waiting ones.
enum NoticeAnswers {
    static let press = "default"
    static let dismiss = "dismiss"
    /// The actions of every notification, besides its own buttons.
    static let reserved: Set<String> = [press, dismiss]

    /// `context` is `nil` for an answer that a desktop reports.
    static func answer(
        _ request: NotifyAnswer.Request,
        context: RequestContext?,
        change: StoreTransaction
    ) throws -> PostedNotification {
        let via = try request.via.required("/via")
        guard var notice = try NotifierTables.find(request.number, change.database) else {
            throw Problem(
                "notify.not_found",
                "There is no notification \(request.number, "number"), or another one replaced it.",
                field: "/number",
                help: "screentime notification list"
            )
        }
        try context?.check(isOf: notice.posted.member)
        if let given = notice.posted.answer, given.action == request.action { return notice.posted }
        try check(request, notice)
        notice.posted.answer = NotifyAnswered(
            action: request.action,
            wallMs: change.now.wallMs,
            via: via
        )
        notice.state = request.action == dismiss ? .closed : .answered
        notice.posted.note = nil
        notice.isClosing = notice.screen != nil
        try NoticeJournal.save(notice, change)
        return notice.posted
    }

    private static func check(_ request: NotifyAnswer.Request, _ notice: Notice) throws(Problem) {
        let actions = notice.posted.actions ?? []
        if let given = notice.posted.answer {
            throw Problem(
                "notify.answered",
                "That notification was answered already, with \(given.action, "action"); the first answer counts.",
                field: "/number",
                help: "screentime notification show \(notice.number)"
            )
        }
        guard notice.state != .scheduled, notice.state != .withdrawn else {
            throw Problem(
                "notify.not_shown",
                text: notice.state == .scheduled
                    ? Message(
                        "notify.not_shown",
                        "That notification is scheduled for later, so it cannot be answered yet."
                    )
                    : Message("notify.not_shown.taken-back", "That notification was withdrawn."),
                field: "/number",
                help: "screentime notification show \(notice.number)"
            )
        }
        if let asked = notice.posted.askedRequest, !reserved.contains(request.action),
            request.via != .desktop
        {
            throw Problem(
                "notify.takes_passcode",
                """
                That answer requires a guardian's passcode. To answer, run: screentime request \
                \(request.action, "action") \(asked, "asked")
                """,
                field: "/action",
                help: "screentime request \(request.action) \(asked)"
            )
        }
        guard reserved.contains(request.action) || actions.contains(where: { $0.id == request.action }) else {
            let known = (actions.map(\.id) + [press, dismiss]).joined(separator: ", ")
            throw Problem(
                "notify.bad_action",
                "That is not a valid answer. Valid answers: \(known, "known").",
                field: "/action"
            )
        }
    }

    /// Marks notifications as shown that a terminal has shown because there was no desktop.
    static func handleShown(
        _ request: NotifyShown.Request,
        state: NotifierState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> NotifyShown.Reply {
        let via = try request.via.required("/via")
        guard request.numbers.count <= BusLimits.pageRows else {
            throw Problem(
                "body.invalid",
                "A request can have at most \(BusLimits.pageRows, "pageRows") numbers.",
                key: "body.invalid.at-most-numbers",
                field: "/numbers"
            )
        }
        // If there is a desktop, it is about to show them.
        guard state.desktop.state == .absent || via == .desktop else { return .init(marked: 0) }
        var marked: Int64 = 0
        for number in Set(request.numbers).sorted() {
            guard var notice = try NotifierTables.find(number, change.database), notice.state == .waiting,
                context.concerns(notice.posted.member)
            else { continue }
            notice.state = .shown
            notice.posted.via = via
            notice.posted.note = nil
            notice.posted.shownAt = RFC3339.text(wallMs: change.now.wallMs)
            try NoticeJournal.save(notice, change)
            marked += 1
        }
        return .init(marked: marked)
    }

    // MARK: - What a desktop reports

    static func handlePress(_ screen: NoticeScreen, action: String, change: StoreTransaction) throws
        -> PostedNotification?
    {
        // While a notification waits, the screen still shows its predecessor.
        guard let notice = try NotifierTables.find(screen, change.database), notice.state == .shown else {
            return nil
        }
        return try? answer(
            .init(number: notice.number, action: action, via: .desktop),
            context: nil,
            change: change
        )
    }

    static func handleClose(_ screen: NoticeScreen, reason: Int64, change: StoreTransaction) throws {
        guard var notice = try NotifierTables.find(screen, change.database) else { return }
        notice.screen = nil
        notice.isClosing = false
        guard notice.state == .shown else { return try NotifierTables.save(notice, change.database) }
        notice.state = .closed
        notice.posted.note =
            switch reason {
            case 1: Message("notification.desktop-closed-it-in-time", "The desktop closed it after a while.")
            case 2: Message("notification.person-closed-it", "A person closed it.")
            default: Message("notification.desktop-closed-it", "The desktop closed it.")
            }
        try NoticeJournal.save(notice, change)
    }
}
