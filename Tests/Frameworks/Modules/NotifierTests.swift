import Foundation
import STContracts
import STFoundationTypes
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import DeviceActivity
@testable import FamilyControls
@testable import UserNotifications

extension ServicesSuite {
    @Suite("Notifications with the notifier")
    struct NotifierTests {
        @Test("another process sees shown and scheduled notifications, and they can be withdrawn")
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
