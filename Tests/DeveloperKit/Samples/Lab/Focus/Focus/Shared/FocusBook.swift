import Foundation

/// State that the app and its extensions share.
nonisolated struct FocusBook {
    private let defaults = UserDefaults(suiteName: "group.dev.example.focus")

    var words: String { defaults?.string(forKey: "words") ?? "Not during focus hours" }
    var minutes: Int { defaults?.integer(forKey: "minutes") ?? 0 }

    func note(_ line: String) {
        let lines = defaults?.stringArray(forKey: "lines") ?? []
        defaults?.set(lines + [line], forKey: "lines")
    }
}
