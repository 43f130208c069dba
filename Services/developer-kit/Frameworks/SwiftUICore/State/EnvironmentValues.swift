public import Foundation

public struct EnvironmentValues: CustomStringConvertible {
    private var all: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: AnyObject] = [:]
    /// The values set by the modifiers of this module.
    package var look = ViewLook()

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { (all[ObjectIdentifier(key)] as? K.Value) ?? K.defaultValue }
        set { all[ObjectIdentifier(key)] = newValue }
    }

    public var description: String { "EnvironmentValues(\(all.count) set, \(objects.count) objects)" }

    package func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
        objects[ObjectIdentifier(type)] as? Object
    }

    package mutating func set<Object: AnyObject>(_ type: Object.Type, _ object: Object?) {
        objects[ObjectIdentifier(type)] = object
    }

    /// Light unless a view sets it. A page contains colours for both schemes, and it is made before the scheme of its screen is
    /// known.
    public var colorScheme: ColorScheme {
        get { look.colorScheme ?? .light }
        set { look.colorScheme = newValue }
    }

    public var locale: Locale {
        get { look.locale }
        set { look.locale = newValue }
    }

    public var calendar: Calendar {
        get {
            var calendar = look.calendar ?? Calendar(identifier: .gregorian)
            calendar.locale = calendar.locale ?? look.locale
            calendar.timeZone = look.timeZone
            return calendar
        }
        set { look.calendar = newValue }
    }

    public var timeZone: TimeZone {
        get { look.timeZone }
        set { look.timeZone = newValue }
    }

    public var layoutDirection: LayoutDirection {
        get { look.layoutDirection }
        set { look.layoutDirection = newValue }
    }

    public var font: Font? {
        get { look.font }
        set { look.font = newValue }
    }

    public var lineLimit: Int? {
        get { look.lineLimit }
        set { look.lineLimit = newValue }
    }

    public var multilineTextAlignment: TextAlignment {
        get { look.textAlign }
        set { look.textAlign = newValue }
    }

    public var textCase: Text.Case? {
        get { look.textCase }
        set { look.textCase = newValue }
    }

    public var isEnabled: Bool {
        get { look.isEnabled }
        set { look.isEnabled = newValue }
    }

    public var redactionReasons: RedactionReasons {
        get { look.redaction }
        set { look.redaction = newValue }
    }

    public var dynamicTypeSize: DynamicTypeSize {
        get { self[DynamicTypeSizeKey.self] }
        set { self[DynamicTypeSizeKey.self] = newValue }
    }

    public var displayScale: CGFloat {
        get { self[DisplayScaleKey.self] }
        set { self[DisplayScaleKey.self] = newValue }
    }

    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[HorizontalSizeClassKey.self] }
        set { self[HorizontalSizeClassKey.self] = newValue }
    }

    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[VerticalSizeClassKey.self] }
        set { self[VerticalSizeClassKey.self] = newValue }
    }

    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    public var dismiss: DismissAction { DismissAction() }
    public var openURL: OpenURLAction { OpenURLAction() }
    public var accessibilityReduceMotion: Bool { true }
    public var isPresented: Bool { false }
}

// MARK: - System values

private enum DynamicTypeSizeKey: EnvironmentKey { static let defaultValue = DynamicTypeSize.large }
private enum DisplayScaleKey: EnvironmentKey { static let defaultValue: CGFloat = 2 }
private enum HorizontalSizeClassKey: EnvironmentKey {
    static let defaultValue: UserInterfaceSizeClass? = .compact
}
private enum VerticalSizeClassKey: EnvironmentKey {
    static let defaultValue: UserInterfaceSizeClass? = .regular
}
private enum ScenePhaseKey: EnvironmentKey { static let defaultValue = ScenePhase.active }

public enum UserInterfaceSizeClass: Sendable {
    case compact, regular
}

public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}

public struct DismissAction: Sendable {
    @MainActor @preconcurrency public func callAsFunction() {}
}

public struct OpenURLAction: Sendable {
    @MainActor @preconcurrency public func callAsFunction(_ url: URL) {}
}

public enum ColorScheme: CaseIterable, Sendable {
    case light, dark
}

public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    case leftToRight, rightToLeft
}

public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let placeholder = RedactionReasons(rawValue: 1)
    public static let privacy = RedactionReasons(rawValue: 2)
    public static let invalidated = RedactionReasons(rawValue: 4)
}

/// The values that modifiers set for their content.
package struct ViewLook {
    /// The default padding.
    package static let padding = 16.0
    /// The size of a phone's screen.
    package static let screen = CGSize(width: 390, height: 844)

    package var colorScheme: ColorScheme?
    package var locale = Locale.current
    package var calendar: Calendar?
    package var timeZone = TimeZone.current
    package var layoutDirection = LayoutDirection.leftToRight
    package var font: Font?
    package var fontChanges: [FontChange] = []
    package var foreground: AnyShapeStyle?
    package var tint: AnyShapeStyle?
    package var lineLimit: Int?
    package var textAlign: TextAlignment = .leading
    package var textCase: Text.Case?
    package var heading: Int?
    package var underline = false
    package var strike = false
    package var isEnabled = true
    /// The scaling of a resizable image in its available space.
    package var imageScaling: String?
    package var redaction: RedactionReasons = []
    package var buttonStyle: (any ButtonStyle)?
    package var labelStyle: (any LabelStyle)?
    package var toggleStyle: (any ToggleStyle)?
    package var progressStyle: (any ProgressViewStyle)?
    package var gaugeStyle: (any GaugeStyle)?
    package var hidesLabels = false
    /// The size that a `GeometryReader` reports.
    package var room = ViewLook.screen
    /// True inside a horizontal stack, where a `Divider` is vertical.
    package var isRow = false
    /// True inside a list.
    package var isList = false
}
