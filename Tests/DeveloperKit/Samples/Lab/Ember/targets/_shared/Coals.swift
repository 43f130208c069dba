import Foundation

/// How often the fire was looked at; JavaScript reads it, too.
enum Coals {
    static let defaults = UserDefaults(suiteName: "group.dev.example.ember")
    static var count: Int {
        get { defaults?.integer(forKey: "coals") ?? 0 }
        set { defaults?.set(newValue, forKey: "coals") }
    }
}
