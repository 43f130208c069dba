import Dispatch
public import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// The notifications of an app. Calls without `await` block until the notifier replies, so that a program can exit after them.
/// Completion handlers are called later, on a separate thread. A failure that no error reports is logged as a fault.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    // @unchecked: everything is set once and has its own lock.
    private static let shared = UNUserNotificationCenter(link: .current, folders: .current)

    public class func current() -> UNUserNotificationCenter { shared }

    let requests: RequestDesk
    private let categories: CategoryFile
    private let answers: AnswerWatch

    init(link: ClientLink, folders: StateFolders?) {
        categories = CategoryFile(folders: folders, app: link.identity.app)
        requests = RequestDesk(link: link, categories: categories)
        answers = AnswerWatch(link: link, requests: requests)
        super.init()
    }

    /// The delegate, held weakly. After it is set, it receives people's responses to notifications.
    public var delegate: (any UNUserNotificationCenterDelegate)? {
        get { answers.delegate }
        set { answers.follow(newValue, self) }
    }

    public let supportsContentExtensions = false

    // MARK: - Permission

    /// Always grants permission. People turn off an app's notifications in the settings of the desktop.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping (Bool, (any Error)?) -> Void
    ) {
        Callback { completionHandler(true, nil) }.call()
    }

    /// Always grants permission. People turn off an app's notifications in the settings of the desktop.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

    public func getNotificationSettings(
        completionHandler: @escaping (UNNotificationSettings) -> Void
    ) {
        Callback { completionHandler(UNNotificationSettings()) }.call()
    }

    public func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings() }

    // MARK: - Adding

    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        var refusal: ScreenTimeProblem?
        do throws(Problem) { try requests.post(request) } catch { refusal = ScreenTimeProblem(error) }
        if let refusal {
            FrameworkLog.notifications.fault("“\(request.identifier)” was not added: \(refusal)")
        }
        if let completionHandler { Callback { completionHandler(refusal) }.call() }
    }

    /// - Throws: A `ScreenTimeProblem` with the reason why the request was not added.
    public func add(_ request: UNNotificationRequest) async throws {
        do throws(Problem) { try await requests.post(request) } catch { throw ScreenTimeProblem(error) }
    }

    // MARK: - Pending

    public func getPendingNotificationRequests(
        completionHandler: @escaping ([UNNotificationRequest]) -> Void
    ) {
        let pending = requests.list(.scheduled).map(\.request)
        Callback { completionHandler(pending) }.call()
    }

    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        requests.list(.scheduled).map(\.request)
    }

    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        requests.withdraw(identifiers, .scheduled)
    }

    public func removeAllPendingNotificationRequests() { requests.withdraw(nil, .scheduled) }

    // MARK: - Delivered

    public func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void) {
        let shown = requests.list(.shown)
        Callback { completionHandler(shown) }.call()
    }

    public func deliveredNotifications() async -> [UNNotification] { requests.list(.shown) }

    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        requests.withdraw(identifiers, .shown)
    }

    public func removeAllDeliveredNotifications() { requests.withdraw(nil, .shown) }

    /// Has no effect, because a desktop does not show the number.
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        if let completionHandler { Callback { completionHandler(nil) }.call() }
    }

    // MARK: - Categories

    /// Sets the categories, which the app and its extensions share.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        self.categories.replace(with: categories)
    }

    public func getNotificationCategories(
        completionHandler: @escaping (Set<UNNotificationCategory>) -> Void
    ) {
        let all = categories.all
        Callback { completionHandler(all) }.call()
    }

    public func notificationCategories() async -> Set<UNNotificationCategory> { categories.all }
}

/// A completion handler that is called later and in order, on its own queue.
struct Callback: @unchecked Sendable {
    // @unchecked: one thread calls it once, and the caller expects a call from another thread.
    private static let queue = DispatchQueue(label: "screentime.notifications")

    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func call() {
        // The current callback of an extension ends only after this call.
        OutstandingWork.shared.begin()
        Self.queue.async {
            self.body()
            OutstandingWork.shared.end()
        }
    }
}

/// Receives people's responses to notifications. Each method has two forms, and a class implements one of them or none.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    )
        async

    /// Never called, because a desktop shows notifications over every window.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    )

    /// Never called, because a desktop shows notifications over every window.
    func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification)
        async -> UNNotificationPresentationOptions
}

extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {}

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [] }
}

/// The options have no effect, because a desktop shows notifications over every window.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

public enum UNNotificationSetting: Int, Sendable {
    case notSupported, disabled, enabled
}

public enum UNAlertStyle: Int, Sendable {
    case none, banner, alert
}

/// The settings of an app's notifications. Every app may show notifications. People turn them off in the settings of the desktop,
/// which an app cannot read.
public final class UNNotificationSettings: NSObject, Sendable {
    public let authorizationStatus = UNAuthorizationStatus.authorized
    public let alertSetting = UNNotificationSetting.enabled
    public let soundSetting = UNNotificationSetting.enabled
    public let badgeSetting = UNNotificationSetting.notSupported
    public let notificationCenterSetting = UNNotificationSetting.enabled
    public let lockScreenSetting = UNNotificationSetting.notSupported
    public let criticalAlertSetting = UNNotificationSetting.enabled
    public let timeSensitiveSetting = UNNotificationSetting.enabled
    public let alertStyle = UNAlertStyle.banner
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = UNAuthorizationOptions(rawValue: 1)
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
    public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}
