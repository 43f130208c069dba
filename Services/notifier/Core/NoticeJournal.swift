import STContracts
import STEngine
import STFollowing
import STPlatform
import STStore

/// The state changes of a notification: posting, triggers and withdrawal.
enum NoticeJournal {
    /// The longest wait. A notification of today is of no use tomorrow.
    static let ageMax = Duration.seconds(86_400)

    // MARK: - Posting

    /// `context` is `nil` for notifications without a trigger that the notifier posts itself.
    static func post(
        _ request: NotifyPost.Request,
        state: NotifierState,
        context: RequestContext?,
        change: StoreTransaction
    ) throws -> NotifyPost.Reply {
        try PostCheck.check(request)
        if let trigger = request.trigger { try NoticeTrigger.check(trigger) }
        let asked = Notice.applyRequest(
            request,
            member: try state.household.member(request.member),
            cause: request.cause ?? context?.header.cause ?? change.cause,
            now: change.now.wall
        )
        let known = try NotifierTables.find(like: asked, change.database)
        if let known, known.isSame(as: asked), !known.isFinished {
            return .init(number: known.number, outcome: .unchanged, postedAt: known.posted.postedAt)
        }
        var notice = Notice(posted: asked)
        if let trigger = request.trigger, let context {
            notice.due = try NoticeTrigger.first(trigger, clock(context, change))
            if known?.due == nil { try checkRoom(asked.app, change) }
        }
        try replace(known, with: &notice, change)
        if notice.due == nil {
            try deliver(&notice, state: state, change: change)
        } else {
            notice.state = .scheduled
            try save(notice, change)
        }
        return .init(
            number: notice.number,
            outcome: known == nil ? .posted : .replaced,
            postedAt: asked.postedAt
        )
    }

    private static func checkRoom(_ app: String, _ change: StoreTransaction) throws {
        guard try NotifierTables.scheduledCount(of: app, change.database) >= NotifyPost.scheduledMax else {
            return
        }
        throw Problem(
            "notify.too_many",
            """
            \(app, "app") has \(NotifyPost.scheduledMax, "most") scheduled notifications, which is the \
            limit. Withdraw one first.
            """,
            field: "/trigger",
            help: "screentime notification list --state scheduled --app \(app)"
        )
    }

    /// Replaces the notification with the same id, also on the screen. The new one is the latest of the history.
    private static func replace(_ known: Notice?, with notice: inout Notice, _ change: StoreTransaction)
        throws
    {
        if let known {
            notice.screen = known.screen
            notice.replaced = known.state == .sending ? known.number : known.replaced
            try NotifierTables.remove(known.number, change.database)
        }
        notice.posted.number = try NotifierTables.insert(notice, change.database)
        try NotifierTables.forgetOldest(after: notice.posted, change.database)
    }

    /// Delivers a notification: it waits to be shown, or counts as shown if the desktop is off.
    private static func deliver(_ notice: inout Notice, state: NotifierState, change: StoreTransaction)
        throws
    {
        if state.desktop.state == .off {
            notice.state = .shown
            notice.posted.shownAt = RFC3339.text(wallMs: change.now.wallMs)
        } else {
            notice.state = .waiting
            notice.waitingSince = change.now.wall
        }
        try NotifierTables.save(notice, change.database)
        // All notifications of an app to a person share one subject. A follower that reads a snapshot gets the last one, and finds
        // the others in the history.
        try change.emit(NotificationPosted.self, subject: subject(notice), notice.posted)
        guard notice.state == .waiting else { return }
        while var late = try NotifierTables.surplus(of: notice.posted.app, change.database) {
            late.state = .failed
            let newer = NotifierTables.waitingPerAppMax
            late.posted.note = Message(
                "notification.newer-ones-were-waiting",
                "It was not shown, because \(newer, "count") newer notifications of this app were waiting."
            )
            try save(late, change)
        }
    }

    private static func subject(_ notice: Notice) -> String { "\(notice.posted.app)/\(notice.posted.member)" }

    static func clock(_ context: RequestContext, _ change: StoreTransaction) -> NoticeTrigger.Clock {
        NoticeTrigger.Clock(now: change.now, zone: context.zone, bootID: context.bootID)
    }

    /// Saves the new state of a notification and publishes it.
    static func save(_ notice: Notice, _ change: StoreTransaction) throws {
        try NotifierTables.save(notice, change.database)
        try change.emit(NotificationChanged.self, subject: subject(notice) + "/changed", notice.posted)
    }

    // MARK: - Time

    /// Delivers notifications that are due, adjusts the others to the present clocks, and gives up those that waited too long.
    static func tick(_ state: NotifierState, context: RequestContext, change: StoreTransaction) throws {
        let clock = clock(context, change)
        for notice in try NotifierTables.withDue(change.database) {
            guard let due = notice.due, let trigger = notice.posted.trigger else { continue }
            guard NoticeTrigger.isReached(due, clock) else {
                let kept = NoticeTrigger.adjusted(trigger, due: due, clock: clock)
                guard kept != due else { continue }
                var moved = notice
                moved.due = kept
                moved.posted.dueAt = RFC3339.text(wallMs: kept.wall.ms)
                try save(moved, change)
                continue
            }
            try fire(
                notice,
                next: NoticeTrigger.next(trigger, after: due, clock),
                state: state,
                change: change
            )
        }
        for var notice in try NotifierTables.all(.waiting, change.database) {
            guard let since = notice.waitingSince, change.now.wall - since >= ageMax else { continue }
            notice.state = .failed
            let reason =
                notice.posted.note ?? state.waitingNote
                ?? Message("notification.no-desktop-showed-it", "No desktop showed it.")
            let age = MessageValue.duration(ms: ageMax.ms)
            notice.posted.note = Message(
                "notification.given-up-after",
                "Screen Time gave up after \(age, "length"). \(reason, "reason")"
            )
            try save(notice, change)
        }
    }

    /// Delivers a due notification. It gets a new number, because it is now the newest.
    private static func fire(
        _ known: Notice,
        next: NoticeDue?,
        state: NotifierState,
        change: StoreTransaction
    ) throws {
        var posted = known.posted
        posted.postedAt = RFC3339.text(wallMs: change.now.wallMs)
        (posted.note, posted.shownAt, posted.via, posted.attempts, posted.answer) = (nil, nil, nil, nil, nil)
        posted.dueAt = next.map { RFC3339.text(wallMs: $0.wall.ms) }
        var notice = Notice(posted: posted)
        notice.due = next
        try replace(known, with: &notice, change)
        try deliver(&notice, state: state, change: change)
    }

    /// Returns the moments of the next checks.
    static func nextDue(_ clock: NoticeTrigger.Clock, _ database: Database) throws -> NotifySteps.Due {
        var due = NotifySteps.Due()
        for notice in try NotifierTables.withDue(database) {
            guard let moment = notice.due else { continue }
            if let boot = moment.boot, moment.bootID == clock.bootID {
                due.boot = min(due.boot ?? .distantFuture, boot)
            } else {
                due.wall = min(due.wall ?? .distantFuture, moment.wall)
            }
            if notice.posted.trigger?.fields != nil { due.zone = clock.zone }
        }
        if let since = try NotifierTables.oldestWaiting(database) {
            due.wall = min(due.wall ?? .distantFuture, since + ageMax)
        }
        return due
    }

    // MARK: - Taking back

    static func withdraw(
        _ request: NotifyWithdraw.Request,
        state: NotifierState,
        change: StoreTransaction
    ) throws -> NotifyWithdraw.Reply {
        try PostCheck.app(request.app)
        let member = try state.household.member(request.member)
        let part = try request.state?.required("/state")
        guard part == nil || part == .scheduled || part == .shown else {
            throw Problem(
                "body.invalid",
                "The state must be scheduled or shown. Without a state, notifications in both states are withdrawn.",
                key: "body.invalid.those-that-are",
                field: "/state"
            )
        }
        let ids = request.ids.map(Set.init)
        var count: Int64 = 0
        for var notice in try NotifierTables.of(app: request.app, member: member, change.database) {
            if let ids, !ids.contains(notice.posted.id) { continue }
            guard withdrawPart(back: part, &notice) else { continue }
            try save(notice, change)
            count += 1
        }
        return .init(withdrawn: count)
    }

    /// Withdraws a notification. Returns true if there was anything to withdraw.
    private static func withdrawPart(back part: NotifyState?, _ notice: inout Notice) -> Bool {
        let wasDue = notice.due != nil
        let wasScheduled = notice.state == .scheduled
        if part != .shown, wasDue {
            notice.due = nil
            notice.posted.dueAt = nil
            if wasScheduled { notice.state = .withdrawn }
        }
        let isTold = [.waiting, .sending, .shown, .uncertain, .closed].contains(notice.state)
        if part != .scheduled, isTold {
            notice.state = notice.due == nil ? .withdrawn : .scheduled
            notice.posted.note = nil
            notice.isClosing = notice.screen != nil
            return true
        }
        return part != .shown && wasDue
    }
}
