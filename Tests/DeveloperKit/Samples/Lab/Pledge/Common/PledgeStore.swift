import Foundation

/// Written by the app and read by its extensions.
enum PledgeStore {
    static func defaults(_ group: String) -> UserDefaults { UserDefaults(suiteName: group) ?? .standard }

    static func add(_ line: String, group: String = "group.dev.example.pledge") {
        let defaults = defaults(group)
        defaults.set((defaults.stringArray(forKey: "lines") ?? []) + [line], forKey: "lines")
    }
}
