import Foundation
import ManagedSettings

/// Counts the new words while it runs. The shield shows the number.
final class RelayAction: ShieldActionDelegate {
    override init() {
        super.init()
        CFNotificationCenterAddObserver(
            CFNotificationCenterGetDarwinNotifyCenter(),
            Unmanaged.passUnretained(self).toOpaque(),
            { _, _, _, _, _ in
                guard let group = Watchword.group else { return }
                group.set(group.integer(forKey: "heard") + 1, forKey: "heard")
            },
            Watchword.changed as CFString,
            nil,
            .deliverImmediately
        )
    }

    override func handle(
        action: ShieldAction,
        for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.close)
    }
}
