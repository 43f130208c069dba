import Synchronization

/// Tells apart subscribers and subscriptions.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private static let counter = Atomic<UInt64>(0)

    private let number: UInt64

    /// One that nobody else has.
    public init() { number = Self.counter.add(1, ordering: .relaxed).newValue }

    /// The same one each time for the same object, as long as that lives.
    public init(_ object: AnyObject) {
        // Those counted never get as far as an address.
        number = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }

    /// A number for a person who looks for one.
    public var description: String { "0x" + String(number, radix: 16) }
}

/// Something that a `CombineIdentifier` names.
public protocol CustomCombineIdentifierConvertible {
    /// The name.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// By the object's identity.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
