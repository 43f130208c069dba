import Foundation
import Security

/// Shares a word in the keychain of the group, and posts a notification when it changes.
enum Watchword {
    static let changed = "dev.example.relay.watchword"
    static let group = UserDefaults(suiteName: "group.dev.example.relay")

    private static let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrService: "dev.example.relay",
        kSecAttrAccount: "watchword",
        kSecAttrAccessGroup: "group.dev.example.relay",
    ]

    static func give(_ word: String) {
        let value = [kSecValueData: Data(word.utf8)] as CFDictionary
        if SecItemUpdate(item as CFDictionary, value) == errSecItemNotFound {
            SecItemAdd(item.merging(value as [CFString: Any]) { $1 } as CFDictionary, nil)
        }
        CFNotificationCenterPostNotification(
            CFNotificationCenterGetDarwinNotifyCenter(),
            CFNotificationName(changed as CFString),
            nil,
            nil,
            true
        )
    }

    static var current: String? {
        var query = item
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let data = found as? Data
        else {
            return nil
        }
        return String(data: data, encoding: .utf8)
    }
}
