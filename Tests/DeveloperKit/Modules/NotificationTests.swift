import Foundation
import STContracts
import STDomain
import STFoundationTypes
import STFrameworkSamples
import STPlatform
import STTestKit
import STTestSupport
import Synchronization
import Testing

@testable import DeviceActivity
@testable import FamilyControls
@testable import UserNotifications

@Suite("Notifications in memory")
struct NotificationTests {
    private let memory = NotifierInMemory()
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func center() -> UNUserNotificationCenter {
        UNUserNotificationCenter(link: memory.link, folders: StateFolders(state: scratch.path))
    }

    private func content(_ title: String, _ body: String = "") -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = body
        return content
    }

    private func request(
        id: String,
        content: UNNotificationContent,
        trigger: UNNotificationTrigger? = nil
    )
        -> UNNotificationRequest
    {
        UNNotificationRequest(identifier: id, content: content, trigger: trigger)
    }

    /// Adds a request like synchronous code.
    private func add(
        _ request: UNNotificationRequest,
        to center: UNUserNotificationCenter,
        _ then: (((any Error)?) -> Void)? = nil
    ) {
        center.add(request, withCompletionHandler: then)
    }

    private func problem(_ request: UNNotificationRequest, _ center: UNUserNotificationCenter) async
        -> ScreenTimeProblem?
    {
        await withCheckedContinuation { continuation in
            add(request, to: center) { continuation.resume(returning: $0 as? ScreenTimeProblem) }
        }
    }

    @Test("A posted notification contains its text, buttons, sound, urgency and trigger")
    func post() async throws {
        let center = center()
        let more = UNNotificationAction(identifier: "more", title: "More time")
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "limit", actions: [more], intentIdentifiers: [])
        ])
        let rich = content("Five\nminutes", "are left")
        rich.subtitle = "Games"
        rich.sound = .default
        rich.categoryIdentifier = "limit"
        rich.interruptionLevel = .critical
        rich.userInfo = ["a": 1]
        // As in an extension, which has not set the categories itself.
        let other = self.center()
        let soon = UNTimeIntervalNotificationTrigger(timeInterval: 1.5, repeats: false)
        add(request(id: "one", content: rich, trigger: soon), to: other)
        rich.title = "Changed later"
        var nine = DateComponents()
        nine.hour = 9
        try await center.add(
            request(
                id: "two",
                content: content(" "),
                trigger: UNCalendarNotificationTrigger(dateMatching: nine, repeats: true)
            )
        )

        let one = try #require(memory.posts.first)
        #expect(one.title == "Five minutes" && one.body == "Games\nare left" && one.id == "one")
        #expect(one.actions == [NotifyAction(id: "more", label: "More time")])
        #expect(one.hasSound == true && one.urgency == .critical && one.app == "promise")
        #expect(one.trigger == NotifyTrigger(kind: .interval, afterMs: 1_500, repeats: false))
        let two = try #require(memory.posts.last)
        #expect(two.title == "promise" && two.body.isEmpty && two.hasSound == nil && two.urgency == nil)
        #expect(two.trigger == NotifyTrigger(kind: .calendar, fields: DateFields(hour: 9), repeats: true))
    }

    @Test("A rejected notification throws or passes its error to the completion handler")
    func refusal() async throws {
        let center = center()
        memory.refuse(Problem("notify.bad_text", "Shorten it."))
        let error = await problem(request(id: "a", content: content("a")), center)
        #expect(error?.code == "notify.bad_text")
        await #expect(throws: ScreenTimeProblem.self) {
            try await center.add(request(id: "a", content: content("a")))
        }
        add(request(id: "a", content: content("a")), to: center)
        memory.refuse(nil)
        for interval in [0, -5, .infinity, .nan] as [TimeInterval] {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: false)
            let error = await problem(request(id: "b", content: content("b"), trigger: trigger), center)
            #expect(error?.code == "notify.bad_trigger", "\(interval)")
        }
        #expect(memory.posts.isEmpty)
    }

    @Test("Pending and delivered notifications are listed and removed separately")
    func lists() async {
        let center = center()
        let rich = content("now")
        rich.userInfo = ["a": 1]
        add(request(id: "now", content: rich), to: center)
        let later = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        add(request(id: "later", content: content("later"), trigger: later), to: center)
        #expect(await center.pendingNotificationRequests().map(\.identifier) == ["later"])
        let shown = await center.deliveredNotifications()
        #expect(shown.map(\.request.content.title) == ["now"])
        #expect(shown.first?.request.content.userInfo["a"] as? Int == 1)
        // Another process reads the list of the notifier.
        let pending = await self.center().pendingNotificationRequests()
        let due = (pending.first?.trigger as? UNCalendarNotificationTrigger)?.dateComponents
        let date = due.flatMap { Calendar.current.date(from: $0) }
        #expect(date == Date(timeIntervalSince1970: 1_795_172_400))

        center.removePendingNotificationRequests(withIdentifiers: [])
        center.removePendingNotificationRequests(withIdentifiers: ["later"])
        center.removeAllPendingNotificationRequests()
        center.removeDeliveredNotifications(withIdentifiers: ["now"])
        center.removeAllDeliveredNotifications()
        #expect(memory.withdrawals.map(\.ids) == [["later"], nil, ["now"], nil])
        #expect(memory.withdrawals.map(\.state) == [.scheduled, .scheduled, .shown, .shown])
    }

    @Test("A delegate receives each later response once through the method that it implements")
    func answers() async throws {
        final class Old: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
            let heard = Mutex<[String]>([])

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                didReceive response: UNNotificationResponse,
                withCompletionHandler completionHandler: @escaping () -> Void
            ) {
                let request = response.notification.request
                heard.withLock { $0.append("\(request.identifier) \(response.actionIdentifier)") }
                completionHandler()
            }
        }
        final class New: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
            let heard = Mutex<[String]>([])

            func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                didReceive response: UNNotificationResponse
            ) async { heard.withLock { $0.append(response.actionIdentifier) } }
        }
        let center = center()
        for id in ["a", "b", "c"] { add(request(id: id, content: content(id)), to: center) }
        memory.answer("a", "default")
        let old = Old()
        center.delegate = old
        memory.answer("b", "default")
        memory.answer("b", "default")
        try await eventually("the first answer arrives") {
            guard old.heard.withLock({ $0 }) == ["b \(UNNotificationDefaultActionIdentifier)"] else {
                throw NotYet("\(old.heard.withLock { $0 })")
            }
        }
        let new = New()
        center.delegate = new
        memory.answer("c", "more")
        try await eventually("the second answer arrives") {
            guard new.heard.withLock({ $0 }) == ["more"] else { throw NotYet("\(new.heard.withLock { $0 })") }
        }
        #expect(old.heard.withLock { $0.count } == 1)
    }

    @Test(
        "Notifications are always authorised, unreadable categories are empty, and content copies are immutable"
    )
    func rest() async throws {
        let center = center()
        #expect(try await center.requestAuthorization(options: [.alert, .sound]))
        #expect(await center.notificationSettings().authorizationStatus == .authorized)
        let granted = await withCheckedContinuation { continuation in
            center.requestAuthorization(options: []) { granted, _ in continuation.resume(returning: granted) }
        }
        #expect(granted)
        let file = try StateFolders(state: scratch.path).app("promise") + "/notification-categories.json"
        try Data("[{".utf8).write(to: URL(filePath: file))
        #expect(await center.notificationCategories().isEmpty)
        let nine = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 9), repeats: false)
        #expect(nine.nextTriggerDate().map { Calendar.current.component(.hour, from: $0) } == 9)
        let copy = content("x").copy() as? UNNotificationContent
        #expect(copy?.title == "x" && !(copy is UNMutableNotificationContent))
    }
}

extension ServicesSuite {
    @Suite("Notifications with the notifier")
    struct NotifierTests {
        @Test("Another process lists and withdraws scheduled notifications, and an oversized one is rejected")
        func story() async throws {
            try await TestSystem.run(services: [.auth, .notifier]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                let folders = StateFolders(state: system.directories.state)
                let center = UNUserNotificationCenter(link: desk.link, folders: folders)
                let content = UNMutableNotificationContent()
                content.title = "Five minutes"
                content.body = "Then it is over."
                content.sound = .default
                let later = UNTimeIntervalNotificationTrigger(timeInterval: 3_600, repeats: false)
                for (id, trigger) in [("now", nil), ("later", later)] {
                    try await center.add(
                        UNNotificationRequest(identifier: id, content: content, trigger: trigger)
                    )
                }
                let elsewhere = UNUserNotificationCenter(link: desk.link, folders: folders)
                let pending = await elsewhere.pendingNotificationRequests()
                #expect(pending.map(\.identifier) == ["later"])
                #expect(pending.first?.content.title == "Five minutes")
                let due = pending.first?.trigger as? UNCalendarNotificationTrigger
                let wait = try #require(due?.nextTriggerDate()).timeIntervalSinceNow
                #expect((3_000...3_601).contains(wait))

                elsewhere.removeAllPendingNotificationRequests()
                #expect(await center.pendingNotificationRequests().isEmpty)
                content.title = String(repeating: "x", count: 1 << 19)
                await #expect(throws: ScreenTimeProblem.self) {
                    try await center.add(
                        UNNotificationRequest(identifier: "a", content: content, trigger: nil)
                    )
                }
            }
        }
    }
}
