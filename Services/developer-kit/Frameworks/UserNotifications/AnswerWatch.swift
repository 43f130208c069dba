import Dispatch
import Foundation
import STClientLink
import STContracts
import STFoundationTypes

/// Tells the delegate what people do with notifications, as long as the app runs.
final class AnswerWatch: @unchecked Sendable {
    // @unchecked: what changes is read and written under the lock; `seen` on the queue alone.
    private let link: ClientLink
    private let requests: RequestDesk
    private let lock = NSLock()
    private weak var told: (any UNUserNotificationCenterDelegate)?
    private var isFollowing = false
    /// Serialises the reads.
    private let looks = DispatchQueue(label: "screentime.notifications.answers")
    private var seen: Set<Int64> = []

    init(link: ClientLink, requests: RequestDesk) {
        self.link = link
        self.requests = requests
    }

    var delegate: (any UNUserNotificationCenterDelegate)? { lock.withLock { told } }

    /// Earlier answers are not reported.
    func follow(_ delegate: (any UNUserNotificationCenterDelegate)?, _ center: UNUserNotificationCenter) {
        let isFirst = lock.withLock {
            told = delegate
            // An extension lives for one callback only; its app gets the answers.
            guard delegate != nil, !isFollowing, !link.isExtension else { return false }
            isFollowing = true
            return true
        }
        guard isFirst else { return }
        looks.sync { seen = Set(requests.posted(.answered).map(\.number)) }
        let topics = [Topic.subscription(.notification), Topic.head(.notification)]
        link.watch(.notifier, topics: topics) { [weak self, weak center] in
            guard let self, let center else { return }
            looks.async { self.look(center) }
        }
    }

    private func look(_ center: UNUserNotificationCenter) {
        let news = requests.posted(.answered).filter { seen.insert($0.number).inserted }
        for posted in news.reversed() {
            guard let answer = posted.answer else { continue }
            let response = UNNotificationResponse(
                actionIdentifier: Self.identifier(answer.action),
                notification: requests.notification(posted)
            )
            MainDelivery.wait { self.tell(response, center) }
        }
    }

    /// A class implements one of the two forms; the default of the other does nothing.
    private func tell(_ response: UNNotificationResponse, _ center: UNUserNotificationCenter) {
        guard let delegate else { return }
        delegate.userNotificationCenter(center, didReceive: response) {}
        let box = Delegate(delegate)
        Task { @MainActor in await box.value.userNotificationCenter(center, didReceive: response) }
    }

    private struct Delegate: @unchecked Sendable {
        // @unchecked: told on the main actor, as on a phone.
        let value: any UNUserNotificationCenterDelegate

        init(_ value: any UNUserNotificationCenterDelegate) { self.value = value }
    }

    private static func identifier(_ action: String) -> String {
        switch action {
        case "default": UNNotificationDefaultActionIdentifier
        case "dismiss": UNNotificationDismissActionIdentifier
        default: action
        }
    }
}
