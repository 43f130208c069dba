package import STContracts
package import STEngine
import STPlatform
package import STStore

/// What notifier does by itself, for the clock and for a desktop.
package enum NotifySteps {
    package struct Due: Sendable, Equatable {
        package var wallMs: Int64?
        package var bootMs: Int64?
        /// The zone by which something is planned.
        package var zone: String?
    }

    /// What is to be done next.
    package struct Next: Sendable {
        package var due: Due
        /// On the screen, and to go from there.
        package var closing: Int64?
        /// Waits to be shown.
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
        package var note: String?

        package init(
            number: Int64,
            owner: String,
            _ outcome: Outcome,
            screen: Int64? = nil,
            note: String? = nil
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
            /// By the numbers of the specification.
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

    package static func tick(
        _ state: inout NotifierState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws {
        try NoticeJournal.tick(state, context, change)
        try count(&state, change)
    }

    // MARK: - A desktop

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
            next.closing = try NoticeStore.nextClosing(on: owner, database)?.screen?.id
            next.number = try NoticeStore.nextWaiting(except: except, database)
        }
        return next
    }

    /// Whether there is a desktop, and which.
    package static func take(
        _ desktop: NotifyDesktop,
        owner: String?,
        _ state: inout NotifierState,
        _ change: StoreTransaction
    ) throws {
        state.desktop = desktop
        if let owner { try NoticeStore.forgetScreens(except: owner, change.database) }
    }

    /// Writes down that a notification is being sent, before it is; nil when it does not wait any more.
    package static func begin(
        _ number: Int64,
        owner: String,
        _ state: inout NotifierState,
        _ change: StoreTransaction
    ) throws -> Begun? {
        let begun = try NoticeDelivery.begin(number, owner: owner, change)
        try count(&state, change)
        return begun
    }

    package static func finish(_ sent: Sent, _ state: inout NotifierState, _ change: StoreTransaction) throws
    {
        try NoticeDelivery.finish(sent, change)
        try count(&state, change)
    }

    package static func hear(_ heard: Heard, _ state: inout NotifierState, _ change: StoreTransaction) throws
    {
        let screen = NoticeScreen(id: heard.screen, owner: heard.owner)
        switch heard.event {
        case .pressed(let action): try NoticeAnswers.pressed(screen, action, change)
        case .closed(let reason): try NoticeAnswers.closed(screen, reason, change)
        }
        try count(&state, change)
    }

    /// A notification was taken from the screen.
    package static func closed(_ screen: Int64, owner: String, _ change: StoreTransaction) throws {
        try NoticeDelivery.closed(NoticeScreen(id: screen, owner: owner), change)
    }

    /// The counts are those of the database.
    static func count(_ state: inout NotifierState, _ change: StoreTransaction) throws {
        state.counts = try NoticeStore.counts(change.database)
    }
}
