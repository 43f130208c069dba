package import STContracts
package import STEngine
package import STPlatform
package import STStore

/// The steps that the notifier takes for the clock and for a desktop.
///
/// Each notification is saved before it is sent. One that was possibly shown is never sent again.
package enum NotifySteps {
    /// Number of refusals after which a desktop is not expected to accept the notification.
    static let refusalsMax: Int64 = 5

    package struct Due: Sendable, Equatable {
        package var wall: WallTime?
        package var boot: BootTime?
        /// The time zone of scheduled notifications. `nil` if none depends on it.
        package var zone: String?
    }

    /// The next steps.
    package struct Next: Sendable {
        package var due: Due
        /// The screen id of the notification to remove.
        package var closing: Int64?
        /// The number of the notification to show.
        package var number: Int64?
    }

    /// A notification that is being sent.
    package struct StartedDelivery: Sendable {
        package var notification: PostedNotification
        /// The screen id of the notification that it replaces.
        package var replaces: Int64?
    }

    /// The result of sending a notification.
    package struct SendResult: Sendable {
        package enum Outcome: Sendable {
            case shown
            /// Certainly not shown, because there was no desktop.
            case retry
            /// Certainly not shown, because the desktop rejected it.
            case refused
            /// Possibly shown.
            case uncertain
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

    /// A signal of a desktop about a notification on its screen.
    package struct DesktopSignal: Sendable {
        package enum Event: Sendable {
            case pressed(action: String)
            /// `reason` is the number in the specification of desktop notifications.
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

    /// Marks the notifications as uncertain that were being sent when the process ended.
    static func resume(_ state: inout NotifierState, _ change: StoreTransaction) throws {
        for var notice in try NotifierTables.all(.sending, change.database) {
            notice.state = .uncertain
            notice.posted.note = Message(
                "notification.ended-while-showing",
                "Screen Time stopped while it was showing this notification, so a person may or may not have seen it."
            )
            try NoticeJournal.save(notice, change)
        }
        try refreshCounts(&state, change)
    }

    package static func tick(
        _ state: inout NotifierState,
        context: RequestContext,
        change: StoreTransaction
    ) throws {
        try NoticeJournal.tick(state, context: context, change: change)
        try refreshCounts(&state, change)
    }

    // MARK: - A desktop

    /// Returns the note of a waiting notification, with the reason.
    package static func waitingNote(_ reason: Message) -> Message {
        Message("notification.waits-for-a-desktop", "Waiting for a desktop: \(reason, "reason")")
    }

    /// Returns the next steps. `except` are notifications whose next attempt is later. `owner` is the present desktop, if any.
    package static func next(
        except: Set<Int64> = [],
        owner: String? = nil,
        _ context: RequestContext,
        _ database: Database
    ) throws -> Next {
        let clock = NoticeTrigger.Clock(now: context.now, zone: context.zone, bootID: context.bootID)
        var next = Next(due: try NoticeJournal.nextDue(clock, database))
        if let owner {
            next.closing = try NotifierTables.nextClosing(on: owner, database)?.screen?.id
            next.number = try NotifierTables.nextWaiting(except: except, database)
        }
        return next
    }

    /// Applies the presence or absence of a desktop.
    package static func updateDesktop(
        _ desktop: NotifyDesktop,
        owner: String?,
        state: inout NotifierState,
        change: StoreTransaction
    ) throws {
        state.desktop = desktop
        if let owner { try NotifierTables.forgetScreens(except: owner, change.database) }
    }

    /// Records that a notification is about to be sent. Returns `nil` if it no longer waits.
    package static func begin(
        _ number: Int64,
        owner: String,
        state: inout NotifierState,
        change: StoreTransaction
    ) throws -> StartedDelivery? {
        guard var notice = try NotifierTables.find(number, change.database), notice.state == .waiting else {
            return nil
        }
        notice.state = .sending
        notice.posted.attempts = (notice.posted.attempts ?? 0) + 1
        try NotifierTables.save(notice, change.database)
        try refreshCounts(&state, change)
        let replaces = notice.screen.flatMap { $0.owner == owner ? $0.id : nil }
        return StartedDelivery(notification: notice.posted, replaces: replaces)
    }

    package static func finish(_ sent: SendResult, state: inout NotifierState, change: StoreTransaction)
        throws
    {
        try applyResult(sent, change)
        try refreshCounts(&state, change)
    }

    private static func applyResult(_ sent: SendResult, _ change: StoreTransaction) throws {
        let screen = sent.screen.map { NoticeScreen(id: $0, owner: sent.owner) }
        guard var notice = try NotifierTables.find(sent.number, change.database) else {
            return try transferScreen(screen, from: sent.number, change)
        }
        if let screen { notice.screen = screen }
        guard notice.state == .sending else {
            // It was answered in a terminal or withdrawn during sending.
            notice.isClosing = notice.screen != nil
            return try NotifierTables.save(notice, change.database)
        }
        notice.posted.note = sent.note
        switch sent.outcome {
        case .shown:
            notice.state = .shown
            notice.posted.via = .desktop
            notice.posted.shownAt = RFC3339.text(wallMs: change.now.wallMs)
        case .retry: notice.state = .waiting
        case .refused:
            notice.state = notice.posted.attempts ?? 0 >= refusalsMax ? .failed : .waiting
        case .uncertain: notice.state = .uncertain
        }
        try NoticeJournal.save(notice, change)
    }

    /// Passes the screen place of a notification to the one that replaced it during sending.
    private static func transferScreen(
        _ screen: NoticeScreen?,
        from number: Int64,
        _ change: StoreTransaction
    )
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

    /// Applies a signal of a desktop. Returns the notification that a press has answered.
    package static func handle(_ heard: DesktopSignal, state: inout NotifierState, change: StoreTransaction)
        throws
        -> PostedNotification?
    {
        let screen = NoticeScreen(id: heard.screen, owner: heard.owner)
        var answered: PostedNotification?
        switch heard.event {
        case .pressed(let action):
            answered = try NoticeAnswers.handlePress(screen, action: action, change: change)
        case .closed(let reason): try NoticeAnswers.handleClose(screen, reason: reason, change: change)
        }
        try refreshCounts(&state, change)
        return answered
    }

    /// Records that a notification was removed from the screen.
    package static func closed(_ screen: Int64, owner: String, _ change: StoreTransaction) throws {
        let screen = NoticeScreen(id: screen, owner: owner)
        guard var notice = try NotifierTables.find(screen, change.database) else { return }
        notice.screen = nil
        notice.isClosing = false
        try NotifierTables.save(notice, change.database)
    }

    /// Counts the notifications again.
    static func refreshCounts(_ state: inout NotifierState, _ change: StoreTransaction) throws {
        state.counts = try NotifierTables.counts(change.database)
    }
}
