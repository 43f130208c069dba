import DeviceActivity
import Foundation
import SwiftUI
import UIKit
import UserNotifications
import WidgetKit

/// What extensions say to a phone besides Screen Time.
public enum PhoneNames {
    public static func said(_ count: Int) -> [String] {
        let resource: LocalizedStringResource = "\(count) of \("many")"
        return [
            String(localized: "\(count) apps"), String(localized: "Half, \(0.5)"),
            String(localized: resource),
            String(localized: "a.key", defaultValue: "100% of \(count)"),
        ]
    }

    @MainActor
    public static func tell() -> String {
        WidgetCenter.shared.reloadAllTimelines()
        WidgetCenter.shared.reloadTimelines(ofKind: "Focus")
        UIImpactFeedbackGenerator(style: .medium).impactOccurred()
        UINotificationFeedbackGenerator().notificationOccurred(.success)
        return "\(UIDevice.current.systemName), \(UIScreen.main.scale)"
    }

    public static func content() -> UNNotificationContent {
        let content = UNMutableNotificationContent()
        content.relevanceScore = 0.5
        content.sound = .defaultRingtone
        content.targetContentIdentifier = "focus"
        return content
    }

    public static func post(_ name: String) {
        CFNotificationCenterPostNotification(
            CFNotificationCenterGetDarwinNotifyCenter(),
            CFNotificationName(name as CFString),
            nil,
            nil,
            true
        )
    }

    /// Calls back on the main thread, again and again.
    public static func hear(_ name: String, _ heard: @escaping @Sendable (String) -> Void) {
        CFNotificationCenterAddObserver(
            CFNotificationCenterGetDarwinNotifyCenter(),
            nil,
            { _, _, name, _, _ in heard(name?.rawValue as String? ?? "") },
            name as CFString,
            nil,
            .deliverImmediately
        )
    }
}

struct PlainButtons: View {
    var body: some View {
        VStack {
            Button("One") {}.buttonStyle(.plain)
            Button("Two") {}.buttonStyle(.bordered)
            Button("Three") {}.buttonStyle(.borderedProminent)
        }
    }
}
