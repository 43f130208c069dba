public import Foundation

extension EnvironmentValues {
    /// In which letters.
    public var font: Font? {
        get { look.font }
        set { look.font = newValue }
    }

    /// How many lines at most.
    public var lineLimit: Int? {
        get { look.lineLimit }
        set { look.lineLimit = newValue }
    }

    /// Where lines begin.
    public var multilineTextAlignment: TextAlignment {
        get { look.textAlign }
        set { look.textAlign = newValue }
    }

    /// How letters are written.
    public var textCase: Text.Case? {
        get { look.textCase }
        set { look.textCase = newValue }
    }

    /// Whether it can be pressed.
    public var isEnabled: Bool {
        get { look.isEnabled }
        set { look.isEnabled = newValue }
    }

    /// Why things are not shown as they are.
    public var redactionReasons: RedactionReasons {
        get { look.redaction }
        set { look.redaction = newValue }
    }

    /// How large a person wants words to be; a page does not know.
    public var dynamicTypeSize: DynamicTypeSize {
        get { self[DynamicTypeSizeKey.self] }
        set { self[DynamicTypeSizeKey.self] = newValue }
    }

    /// How many pixels a point has; who draws knows.
    public var displayScale: CGFloat {
        get { self[DisplayScaleKey.self] }
        set { self[DisplayScaleKey.self] = newValue }
    }

    /// As wide as a phone.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[HorizontalSizeClassKey.self] }
        set { self[HorizontalSizeClassKey.self] = newValue }
    }

    /// As high as a phone.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[VerticalSizeClassKey.self] }
        set { self[VerticalSizeClassKey.self] = newValue }
    }

    /// Whether the app is looked at: it is.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    /// Closes what is shown; on a page it does nothing.
    public var dismiss: DismissAction { DismissAction() }

    /// Opens an address; on a page it does nothing.
    public var openURL: OpenURLAction { OpenURLAction() }

    /// Whether a person wants little movement; on a page there is none.
    public var accessibilityReduceMotion: Bool { true }

    /// Whether something is shown above others; on a page nothing is.
    public var isPresented: Bool { false }
}

private enum DynamicTypeSizeKey: EnvironmentKey { static let defaultValue = DynamicTypeSize.large }
private enum DisplayScaleKey: EnvironmentKey { static let defaultValue: CGFloat = 2 }
private enum HorizontalSizeClassKey: EnvironmentKey {
    static let defaultValue: UserInterfaceSizeClass? = .compact
}
private enum VerticalSizeClassKey: EnvironmentKey {
    static let defaultValue: UserInterfaceSizeClass? = .regular
}
private enum ScenePhaseKey: EnvironmentKey { static let defaultValue = ScenePhase.active }

/// How much room there is.
public enum UserInterfaceSizeClass: Sendable {
    /// Little.
    case compact
    /// Much.
    case regular
}

/// Whether an app is looked at.
public enum ScenePhase: Comparable, Sendable {
    /// Nobody sees it.
    case background
    /// It is seen, and something else is used.
    case inactive
    /// It is used.
    case active
}

/// Closes what is shown; on a page it does nothing.
public struct DismissAction: Sendable {
    /// Does nothing.
    @MainActor @preconcurrency public func callAsFunction() {}
}

/// Opens an address; on a page it does nothing.
public struct OpenURLAction: Sendable {
    /// Does nothing.
    @MainActor @preconcurrency public func callAsFunction(_ url: URL) {}
}
