import Dispatch
import Foundation
import STClientLink
import STContracts
import STFoundationTypes

/// Reports people's responses to notifications to the delegate, while the app is running.
final class AnswerWatch: @unchecked Sendable {
    // @unchecked: the lock guards mutable state. Only the queue accesses `seen`.
    private let link: ClientLink
    private let requests: RequestDesk
    private let lock = NSLock()
    private weak var told: (any UNUserNotificationCenterDelegate)?
    private var isFollowing = false
    /// Runs reads one at a time.
    private let looks = DispatchQueue(label: "screentime.notifications.answers")
    private var seen: Set<Int64> = []

    init(link: ClientLink, requests: RequestDesk) {
        self.link = link
        self.requests = requests
    }

    var delegate: (any UNUserNotificationCenterDelegate)? { lock.withLock { told } }

    /// Sets the delegate and starts to report responses. Earlier responses are not reported.
    func follow(_ delegate: (any UNUserNotificationCenterDelegate)?, _ center: UNUserNotificationCenter) {
        let isFirst = lock.withLock {
            told = delegate
            // An extension runs only for one callback. Its app receives the responses.
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

    /// Calls both forms of the method. A class implements one of them, and the default implementation of the other does nothing.
    private func tell(_ response: UNNotificationResponse, _ center: UNUserNotificationCenter) {
        guard let delegate else { return }
        delegate.userNotificationCenter(center, didReceive: response) {}
        let box = Delegate(delegate)
        Task { @MainActor in await box.value.userNotificationCenter(center, didReceive: response) }
    }

    private struct Delegate: @unchecked Sendable {
        // @unchecked: the delegate is called on the main actor, as on a phone.
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
