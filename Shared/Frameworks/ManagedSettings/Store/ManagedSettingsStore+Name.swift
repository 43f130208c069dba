extension ManagedSettingsStore {
    /// The name of a store.
    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        /// Of the store that `ManagedSettingsStore()` is.
        public static let `default` = Name("default")

        /// The name as text.
        public let rawValue: String

        /// The name with this text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The name with this text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
