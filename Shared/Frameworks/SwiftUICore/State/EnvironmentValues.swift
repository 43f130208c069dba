public import Foundation

/// What a view sees around it.
public struct EnvironmentValues: CustomStringConvertible {
    private var all: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: AnyObject] = [:]
    /// What this module's own modifiers say.
    package var look = ViewLook()

    /// As it is at the outside of a page.
    public init() {}

    /// By a key.
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { (all[ObjectIdentifier(key)] as? K.Value) ?? K.defaultValue }
        set { all[ObjectIdentifier(key)] = newValue }
    }

    /// For a developer.
    public var description: String { "EnvironmentValues(\(all.count) set, \(objects.count) objects)" }

    package func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
        objects[ObjectIdentifier(type)] as? Object
    }

    package mutating func set<Object: AnyObject>(_ type: Object.Type, _ object: Object?) {
        objects[ObjectIdentifier(type)] = object
    }
}

// MARK: - What the system says

extension EnvironmentValues {
    /// Light, unless a view says something else: a page has colours for both, and does not know where it will be seen.
    public var colorScheme: ColorScheme {
        get { look.colorScheme ?? .light }
        set { look.colorScheme = newValue }
    }

    /// How words and numbers are written.
    public var locale: Locale {
        get { look.locale }
        set { look.locale = newValue }
    }

    /// How days are counted.
    public var calendar: Calendar {
        get {
            var calendar = look.calendar ?? Calendar(identifier: .gregorian)
            calendar.locale = calendar.locale ?? look.locale
            calendar.timeZone = look.timeZone
            return calendar
        }
        set { look.calendar = newValue }
    }

    /// The zone.
    public var timeZone: TimeZone {
        get { look.timeZone }
        set { look.timeZone = newValue }
    }

    /// Where lines begin.
    public var layoutDirection: LayoutDirection {
        get { look.layoutDirection }
        set { look.layoutDirection = newValue }
    }
}
