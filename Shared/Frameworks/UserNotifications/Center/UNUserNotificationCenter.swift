public import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// Where an app's notifications are added, listed and taken back.
///
/// Calls without `await` wait for their answer, so that a program may end after them; completion handlers are called later, on
/// a thread of their own. What is refused without anybody being told is a fault in the log.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    // @unchecked: everything is set once and has its own locks.
    private static let shared = UNUserNotificationCenter(link: .current, folders: .current)

    /// The center of this app.
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

    /// Is told what people do with notifications from now on; it is not kept alive.
    public var delegate: (any UNUserNotificationCenterDelegate)? {
        get { answers.delegate }
        set { answers.follow(newValue, self) }
    }

    /// Whether an app can draw its notifications itself: it cannot.
    public let supportsContentExtensions = false

    // MARK: - Permission

    /// Is granted: a person silences an app in the desktop's own settings.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping (Bool, (any Error)?) -> Void
    ) {
        Callback { completionHandler(true, nil) }.call()
    }

    /// Is granted: a person silences an app in the desktop's own settings.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

    /// What the app's notifications may do.
    public func getNotificationSettings(
        completionHandler: @escaping (UNNotificationSettings) -> Void
    ) {
        Callback { completionHandler(UNNotificationSettings()) }.call()
    }

    /// What the app's notifications may do.
    public func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings() }

    // MARK: - Adding

    /// Adds a notification; one of the same name is replaced.
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

    /// Adds a notification; one of the same name is replaced.
    ///
    /// - Throws: A `ScreenTimeProblem` that says why it was not added.
    public func add(_ request: UNNotificationRequest) async throws {
        do throws(Problem) { try await requests.post(request) } catch { throw ScreenTimeProblem(error) }
    }

    // MARK: - Those to come

    /// The notifications that are not due yet.
    public func getPendingNotificationRequests(
        completionHandler: @escaping ([UNNotificationRequest]) -> Void
    ) {
        let pending = requests.list(.scheduled).map(\.request)
        Callback { completionHandler(pending) }.call()
    }

    /// The notifications that are not due yet.
    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        requests.list(.scheduled).map(\.request)
    }

    /// Takes back some that are not due yet.
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        requests.withdraw(identifiers, .scheduled)
    }

    /// Takes back all that are not due yet.
    public func removeAllPendingNotificationRequests() { requests.withdraw(nil, .scheduled) }

    // MARK: - Those that were shown

    /// The notifications that are on the screen or in its list.
    public func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void) {
        let shown = requests.list(.shown)
        Callback { completionHandler(shown) }.call()
    }

    /// The notifications that are on the screen or in its list.
    public func deliveredNotifications() async -> [UNNotification] { requests.list(.shown) }

    /// Takes some from the screen.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        requests.withdraw(identifiers, .shown)
    }

    /// Takes all from the screen.
    public func removeAllDeliveredNotifications() { requests.withdraw(nil, .shown) }

    /// Does nothing: a desktop has no place for that number.
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        if let completionHandler { Callback { completionHandler(nil) }.call() }
    }

    // MARK: - Kinds

    /// Says which kinds of notifications there are, in place of those before; the app and its extensions share them.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        self.categories.replace(with: categories)
    }

    /// The kinds of notifications there are.
    public func getNotificationCategories(
        completionHandler: @escaping (Set<UNNotificationCategory>) -> Void
    ) {
        let all = categories.all
        Callback { completionHandler(all) }.call()
    }

    /// The kinds of notifications there are.
    public func notificationCategories() async -> Set<UNNotificationCategory> { categories.all }
}
