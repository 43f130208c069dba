package import STContracts
package import STEngine
package import STPlatform
package import STStore

/// What the notifier does by itself, for the clock and for a desktop.
///
/// It writes down each notification before it sends it, and never sends one again that may have been shown.
package enum NotifySteps {
    /// A desktop that refuses one so often will not take it.
    static let refusalsMax: Int64 = 5

    package struct Due: Sendable, Equatable {
        package var wallMs: Int64?
        package var bootMs: Int64?
        /// The zone of scheduled notifications; nil when none needs it.
        package var zone: String?
    }

    /// What is to be done next.
    package struct Next: Sendable {
        package var due: Due
        /// The id on the screen of the notification to take away.
        package var closing: Int64?
        /// The number of the notification to show.
        package var number: Int64?
    }

    /// A notification that is being sent.
    package struct Begun: Sendable {
        package var notification: PostedNotification
        /// The one on the screen whose place it takes.
        package var replaces: Int64?
    }

    /// How the sending of a notification went.
    package struct Sent: Sendable {
        package enum Outcome: Sendable {
            case shown
            /// It was certainly not shown; there was no desktop.
            case again
            /// It was certainly not shown; the desktop does not want it.
            case refused
            /// It may have been shown.
            case unsure
        }

        package var number: Int64
        package var owner: String
        package var outcome: Outcome
        package var screen: Int64?
        package var note: Message?

        package init(
            number: Int64,
            owner: String,
            _ outcome: Outcome,
            screen: Int64? = nil,
            note: Message? = nil
        ) {
            self.number = number
            self.owner = owner
            self.outcome = outcome
            self.screen = screen
            self.note = note
        }
    }

    /// What a desktop said of something on its screen.
    package struct Heard: Sendable {
        package enum Event: Sendable {
            case pressed(action: String)
            /// With the reason's number in the specification.
            case closed(reason: Int64)
        }

        package var screen: Int64
        package var owner: String
        package var event: Event

        package init(screen: Int64, owner: String, _ event: Event) {
            self.screen = screen
            self.owner = owner
            self.event = event
        }
    }

    // MARK: - Time

    /// Marks notifications as uncertain that were being sent when the process ended.
    static func resume(_ state: inout NotifierState, _ change: StoreTransaction) throws {
        for var notice in try NotifierTables.all(.sending, change.database) {
            notice.state = .uncertain
            notice.posted.note = Message(
                "notification.ended-while-showing",
                "Screen Time stopped while it was showing this notification, so a person may or may not have seen it."
            )
            try NoticeJournal.save(notice, change)
        }
        try count(&state, change)
    }

    package static func tick(
        _ state: inout NotifierState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws {
        try NoticeJournal.tick(state, context, change)
        try count(&state, change)
    }

    // MARK: - A desktop

    /// The note of a notification that waits, with the reason.
    package static func waits(_ reason: Message) -> Message {
        Message("notification.waits-for-a-desktop", "Waiting for a desktop: \(reason, "reason")")
    }

    /// `except`: those whose next attempt comes later. `owner`: the desktop that is there; nil when there is none.
    package static func next(
        except: Set<Int64> = [],
        owner: String? = nil,
        _ context: RequestContext,
        _ database: Database
    ) throws -> Next {
        let clock = NoticeTrigger.Clock(now: context.now, zone: context.zone, bootID: context.bootID)
        var next = Next(due: try NoticeJournal.dues(clock, database))
        if let owner {
            next.closing = try NotifierTables.nextClosing(on: owner, database)?.screen?.id
            next.number = try NotifierTables.nextWaiting(except: except, database)
        }
        return next
    }

    /// Takes whether there is a desktop, and which.
    package static func take(
        _ desktop: NotifyDesktop,
        owner: String?,
        _ state: inout NotifierState,
        _ change: StoreTransaction
    ) throws {
        state.desktop = desktop
        if let owner { try NotifierTables.forgetScreens(except: owner, change.database) }
    }

    /// Writes down that a notification is being sent, before it is; nil when it does not wait any more.
    package static func begin(
        _ number: Int64,
        owner: String,
        _ state: inout NotifierState,
        _ change: StoreTransaction
    ) throws -> Begun? {
        guard var notice = try NotifierTables.find(number, change.database), notice.state == .waiting else {
            return nil
        }
        notice.state = .sending
        notice.posted.attempts = (notice.posted.attempts ?? 0) + 1
        try NotifierTables.save(notice, change.database)
        try count(&state, change)
        let replaces = notice.screen.flatMap { $0.owner == owner ? $0.id : nil }
        return Begun(notification: notice.posted, replaces: replaces)
    }

    package static func finish(_ sent: Sent, _ state: inout NotifierState, _ change: StoreTransaction) throws
    {
        try settle(sent, change)
        try count(&state, change)
    }

    private static func settle(_ sent: Sent, _ change: StoreTransaction) throws {
        let screen = sent.screen.map { NoticeScreen(id: $0, owner: sent.owner) }
        guard var notice = try NotifierTables.find(sent.number, change.database) else {
            return try handOver(screen, from: sent.number, change)
        }
        if let screen { notice.screen = screen }
        guard notice.state == .sending else {
            // Answered in a terminal, or taken back, while it was on its way.
            notice.isClosing = notice.screen != nil
            return try NotifierTables.save(notice, change.database)
        }
        notice.posted.note = sent.note
        switch sent.outcome {
        case .shown:
            notice.state = .shown
            notice.posted.via = .desktop
            notice.posted.shownAt = RFC3339.text(wallMs: change.now.wallMs)
        case .again: notice.state = .waiting
        case .refused:
            notice.state = notice.posted.attempts ?? 0 >= refusalsMax ? .failed : .waiting
        case .unsure: notice.state = .uncertain
        }
        try NoticeJournal.save(notice, change)
    }

    /// The notification was replaced while it was being sent: its place on the screen now belongs to the new one.
    private static func handOver(_ screen: NoticeScreen?, from number: Int64, _ change: StoreTransaction)
        throws
    {
        guard var notice = try NotifierTables.find(replacing: number, change.database) else { return }
        notice.replaced = nil
        if let screen {
            notice.screen = screen
            notice.isClosing = notice.state == .withdrawn || notice.posted.answer != nil
        }
        try NotifierTables.save(notice, change.database)
    }

    /// Returns the notification that was answered by a press.
    package static func hear(_ heard: Heard, _ state: inout NotifierState, _ change: StoreTransaction) throws
        -> PostedNotification?
    {
        let screen = NoticeScreen(id: heard.screen, owner: heard.owner)
        var answered: PostedNotification?
        switch heard.event {
        case .pressed(let action): answered = try NoticeAnswers.pressed(screen, action, change)
        case .closed(let reason): try NoticeAnswers.closed(screen, reason, change)
        }
        try count(&state, change)
        return answered
    }

    /// A notification was taken from the screen.
    package static func closed(_ screen: Int64, owner: String, _ change: StoreTransaction) throws {
        let screen = NoticeScreen(id: screen, owner: owner)
        guard var notice = try NotifierTables.find(screen, change.database) else { return }
        notice.screen = nil
        notice.isClosing = false
        try NotifierTables.save(notice, change.database)
    }

    /// Counts the notifications anew.
    static func count(_ state: inout NotifierState, _ change: StoreTransaction) throws {
        state.counts = try NotifierTables.counts(change.database)
    }
}
