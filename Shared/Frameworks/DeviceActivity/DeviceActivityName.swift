/// The name of an activity that is watched.
public struct DeviceActivityName: RawRepresentable, Equatable, Hashable, Sendable {
    /// The name as text.
    public var rawValue: String

    /// The name with this text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The name with this text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
