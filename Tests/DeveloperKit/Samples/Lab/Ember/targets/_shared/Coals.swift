import Foundation

/// Number of looks at the fire. JavaScript reads it, too.
enum Coals {
    static let defaults = UserDefaults(suiteName: "group.dev.example.ember")
    static var count: Int {
        get { defaults?.integer(forKey: "coals") ?? 0 }
        set { defaults?.set(newValue, forKey: "coals") }
    }
}
