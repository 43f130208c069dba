import STContracts
import STEngine
import STPlatform
import STStore

/// How a notification is shown on a desktop: written down before it is tried, and never tried again when nobody can say
/// how that went.
enum NoticeDelivery {
    /// A desktop that refuses one so often will not take it.
    static let refusalsMax: Int64 = 5

    /// What was being sent when the process ended may stand on the screen, or not.
    static func resume(_ state: inout NotifierState, _ change: StoreTransaction) throws {
        for var notice in try NoticeStore.all(.sending, change.database) {
            notice.state = .uncertain
            notice.posted.note =
                "Screen Time ended while this was being shown; whether it was seen, nobody can say."
            try NoticeJournal.save(notice, change)
        }
        state.counts = try NoticeStore.counts(change.database)
    }

    static func begin(_ number: Int64, owner: String, _ change: StoreTransaction) throws -> NotifySteps.Begun?
    {
        guard var notice = try NoticeStore.find(number, change.database), notice.state == .waiting else {
            return nil
        }
        notice.state = .sending
        notice.posted.attempts = (notice.posted.attempts ?? 0) + 1
        try NoticeStore.save(notice, change.database)
        let replaces = notice.screen.flatMap { $0.owner == owner ? $0.id : nil }
        return .init(notification: notice.posted, replaces: replaces)
    }

    static func finish(_ sent: NotifySteps.Sent, _ change: StoreTransaction) throws {
        let screen = sent.screen.map { NoticeScreen(id: $0, owner: sent.owner) }
        guard var notice = try NoticeStore.find(sent.number, change.database) else {
            return try handOver(screen, from: sent.number, change)
        }
        if let screen { notice.screen = screen }
        guard notice.state == .sending else {
            // Answered in a terminal, or taken back, while it was on its way.
            notice.isClosing = notice.screen != nil
            return try NoticeStore.save(notice, change.database)
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

    /// The one that was sent has been replaced meanwhile; its place on the screen is the other one's now.
    private static func handOver(_ screen: NoticeScreen?, from number: Int64, _ change: StoreTransaction)
        throws
    {
        guard var notice = try NoticeStore.find(replacing: number, change.database) else { return }
        notice.replaced = nil
        if let screen {
            notice.screen = screen
            notice.isClosing = notice.state == .withdrawn || notice.posted.answer != nil
        }
        try NoticeStore.save(notice, change.database)
    }

    static func closed(_ screen: NoticeScreen, _ change: StoreTransaction) throws {
        guard var notice = try NoticeStore.find(screen, change.database) else { return }
        notice.screen = nil
        notice.isClosing = false
        try NoticeStore.save(notice, change.database)
    }
}
