public import Foundation
import STFoundationTypes

/// A stand-in for the app. An extension runs outside an app, and a desktop cannot open anything for it.
@MainActor
public final class UIApplication: NSObject {
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {
        public static let universalLinksOnly = OpenExternalURLOptionsKey()
    }

    public enum State: Int, Sendable {
        case active, inactive, background
    }

    public static let shared = UIApplication()
    public nonisolated static let openSettingsURLString = "app-settings:"
    public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActive"
    )
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForeground"
    )
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackground"
    )

    public let applicationState = State.background
    public var isIdleTimerDisabled = false

    override private init() {}

    public func canOpenURL(_ url: URL) -> Bool { false }

    public func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler: ((Bool) -> Void)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        FrameworkLog.withoutEffect("UIApplication.open", "\(file):\(line)")
        completionHandler?(false)
    }
}
