import Foundation
import STClientLink
import STContracts
import STDomain
import STFoundationTypes
import STPlatform
import Synchronization

/// Sends notifications to the notifier and reads them back.
final class RequestDesk: Sendable {
    /// The number of requests that this process stores. They contain `userInfo` and other values that are not sent.
    private static let keptMax = 200
    /// The maximum number of history pages to read.
    private static let pagesMax = 20

    private struct Kept {
        var byId: [String: UNNotificationRequest] = [:]
        var order: [String] = []
    }

    private let link: ClientLink
    private let categories: CategoryFile
    private let kept = Mutex(Kept())

    init(link: ClientLink, categories: CategoryFile) {
        self.link = link
        self.categories = categories
    }

    // MARK: - Sending

    func post(_ request: UNNotificationRequest) throws(Problem) {
        _ = try link.call(NotifyPost.self, to: .notifier, try wire(request))
        keep(request)
    }

    func post(_ request: UNNotificationRequest) async throws(Problem) {
        let wire = try wire(request)
        _ = try await link.call(NotifyPost.self, to: .notifier, wire)
        keep(request)
    }

    func withdraw(_ ids: [String]?, _ state: NotifyState) {
        if let ids, ids.isEmpty { return }
        do {
            _ = try link.call(
                NotifyWithdraw.self,
                to: .notifier,
                .init(app: link.identity.app, member: link.identity.member, ids: ids, state: state)
            )
        } catch {
            FrameworkLog.notifications.fault("notifications were not withdrawn: \(error.description)")
        }
    }

    private func wire(_ request: UNNotificationRequest) throws(Problem) -> NotifyPost.Request {
        let content = request.content
        let title = content.title.split(whereSeparator: \.isNewline).joined(separator: " ")
        let isSilent = title.allSatisfy(\.isWhitespace)
        let actions = categories.actions(of: content.categoryIdentifier)
        return NotifyPost.Request(
            app: link.identity.app,
            member: link.identity.member,
            id: request.identifier,
            // A phone shows the app's name above the notification. Here the title must not be empty.
            title: isSilent ? link.identity.app : title,
            body: [content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: "\n"),
            actions: actions.isEmpty ? nil : actions,
            urgency: NotifyUrgency(content.interruptionLevel),
            hasSound: content.sound == nil ? nil : true,
            trigger: try request.trigger.map(Self.trigger)
        )
    }

    private static func trigger(_ trigger: UNNotificationTrigger) throws(Problem) -> NotifyTrigger {
        if let interval = trigger as? UNTimeIntervalNotificationTrigger {
            guard interval.timeInterval > 0,
                let ms = Int64(exactly: (interval.timeInterval * 1_000).rounded())
            else {
                throw Problem(
                    "notify.bad_trigger",
                    "The interval of a notification must be more than 0 seconds."
                )
            }
            return NotifyTrigger(kind: .interval, afterMs: max(1, ms), repeats: trigger.repeats)
        }
        if let calendar = trigger as? UNCalendarNotificationTrigger {
            let fields = DateFields(calendar.dateComponents)
            return NotifyTrigger(kind: .calendar, fields: fields, repeats: trigger.repeats)
        }
        throw Problem(
            "notify.bad_trigger",
            "The trigger of a notification must be a time interval or a date.",
            key: "notify.bad_trigger.a-notification-can"
        )
    }

    private func keep(_ request: UNNotificationRequest) {
        kept.withLock { kept in
            if kept.byId.updateValue(request, forKey: request.identifier) == nil {
                kept.order.append(request.identifier)
            }
            if kept.order.count > Self.keptMax { kept.byId[kept.order.removeFirst()] = nil }
        }
    }

    // MARK: - Reading

    /// Returns the notifications in a state. The result is empty, with an entry in the log, if the notifier does not reply.
    func list(_ state: NotifyState) -> [UNNotification] { posted(state).map(notification) }

    func posted(_ state: NotifyState) -> [PostedNotification] {
        var all: [PostedNotification] = []
        var next: String?
        do {
            for _ in 0..<Self.pagesMax {
                let identity = link.identity
                let reply = try link.call(
                    NotifyList.self,
                    to: .notifier,
                    .init(app: identity.app, member: identity.member, state: state, next: next)
                )
                all += reply.notifications
                next = reply.next
                if next == nil { break }
            }
        } catch {
            FrameworkLog.notifications.error("notifications could not be read: \(error.description)")
        }
        return all
    }

    /// Returns the request that this process added, or else one with the values from the notifier.
    func notification(_ posted: PostedNotification) -> UNNotification {
        let date = Self.date(posted.shownAt ?? posted.postedAt) ?? Date()
        if let request = kept.withLock({ $0.byId[posted.id] }) {
            return UNNotification(date: date, request: request)
        }
        var fields = UNNotificationContent.Fields()
        fields.title = posted.title
        fields.body = posted.body
        fields.sound = posted.hasSound == true ? .default : nil
        fields.interruptionLevel = UNNotificationInterruptionLevel(posted.urgency)
        let trigger = posted.dueAt.flatMap(Self.date).map { due in
            UNCalendarNotificationTrigger(
                dateMatching: Calendar.current.dateComponents(
                    [.year, .month, .day, .hour, .minute, .second],
                    from: due
                ),
                repeats: false
            )
        }
        return UNNotification(
            date: date,
            request: UNNotificationRequest(
                identifier: posted.id,
                content: UNNotificationContent(fields),
                trigger: trigger
            )
        )
    }

    private static func date(_ text: String) -> Date? {
        RFC3339.wallMs(text).map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }
}

extension NotifyUrgency {
    init?(_ level: UNNotificationInterruptionLevel) {
        switch level {
        case .passive: self = .low
        case .active, .timeSensitive: return nil
        case .critical: self = .critical
        }
    }
}

extension UNNotificationInterruptionLevel {
    init(_ urgency: NotifyUrgency?) {
        switch urgency {
        case .low: self = .passive
        case .critical: self = .critical
        case .normal, .unknown, nil: self = .active
        }
    }
}
