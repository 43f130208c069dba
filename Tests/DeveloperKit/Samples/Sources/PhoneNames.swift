import Combine
import DeviceActivity
import Foundation
import Security
import SwiftUI
import UIKit
import UserNotifications
import WidgetKit

/// iOS calls of extensions outside of Screen Time.
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

    /// Calls `heard` on the main thread for each notification.
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

/// The usual way for apps to store a secret.
public enum Secrets {
    private static func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "dev.example.secrets",
            kSecAttrAccount as String: account,
            kSecAttrAccessGroup as String: "ABCDE12345.group.dev.example.secrets",
            kSecAttrSynchronizable as String: kCFBooleanFalse as Any,
        ]
    }

    public static func save(_ data: Data, for account: String) -> OSStatus {
        let status = SecItemUpdate(
            query(account) as CFDictionary,
            [kSecValueData as String: data] as CFDictionary
        )
        guard status == errSecItemNotFound else { return status }
        var attributes = query(account)
        attributes[kSecValueData as String] = data
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    public static func load(_ account: String) -> Data? {
        var query = query(account)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? Data
    }

    public static func accounts() -> [String] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccessGroup as String: "ABCDE12345.group.dev.example.secrets",
            kSecReturnAttributes as String: true,
            kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        var items: AnyObject?
        SecItemCopyMatching(query as CFDictionary, &items)
        let found = items as? [[String: Any]] ?? []
        return found.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    public static func forget(_ account: String) -> Bool {
        SecItemDelete(query(account) as CFDictionary) == errSecSuccess
    }
}

/// Settings with the C interface.
public enum OldSettings {
    public static func keep(_ value: Int, for key: String) -> Int? {
        CFPreferencesSetAppValue(key as CFString, value as CFPropertyList, kCFPreferencesCurrentApplication)
        CFPreferencesAppSynchronize(kCFPreferencesCurrentApplication)
        return CFPreferencesCopyAppValue(key as CFString, kCFPreferencesCurrentApplication) as? Int
    }
}

/// Counts the ticks of a timer.
public final class Ticks: ObservableObject {
    @Published public private(set) var count = 0
    private var timer: AnyCancellable?

    public init(every seconds: TimeInterval) {
        timer = Timer.publish(every: seconds, on: .main, in: .common).autoconnect().sink { [weak self] _ in
            self?.count += 1
        }
    }

    public func stop() { timer = nil }
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
