/// Whether words can be marked.
public protocol TextSelectability {
    /// Whether they can.
    static var allowsSelection: Bool { get }
}

/// They can.
public struct EnabledTextSelectability: TextSelectability, Sendable {
    /// They can.
    public static let allowsSelection = true
}

/// They cannot.
public struct DisabledTextSelectability: TextSelectability, Sendable {
    /// They cannot.
    public static let allowsSelection = false
}

extension TextSelectability where Self == EnabledTextSelectability {
    /// They can.
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

extension TextSelectability where Self == DisabledTextSelectability {
    /// They cannot.
    public static var disabled: DisabledTextSelectability { DisabledTextSelectability() }
}

extension View {
    /// Whether its words can be marked, which is left to who shows the page.
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }
}
