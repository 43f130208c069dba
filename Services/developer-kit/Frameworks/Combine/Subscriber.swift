import Synchronization

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input

    associatedtype Failure: Error

    func receive(subscription: any Subscription)

    func receive(_ input: Input) -> Subscribers.Demand

    func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

public enum Subscribers {
    public enum Completion<Failure: Error> {
        case finished

        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers {
    public struct Demand: Equatable, Comparable, Hashable, Sendable, CustomStringConvertible {
        /// The number of values. `nil` means unlimited.
        private let count: Int?

        private init(count: Int?) { self.count = count }

        public static let none = Demand(count: 0)
        public static let unlimited = Demand(count: nil)

        /// Returns a demand for a number of values. A negative number counts as zero.
        public static func max(_ value: Int) -> Demand { Demand(count: Swift.max(0, value)) }

        public var max: Int? { count }

        public static func + (one: Demand, other: Demand) -> Demand {
            guard let first = one.count, let second = other.count else { return unlimited }
            let (sum, overflow) = first.addingReportingOverflow(second)
            return overflow ? unlimited : Demand(count: sum)
        }

        public static func += (one: inout Demand, other: Demand) { one = one + other }

        public static func - (one: Demand, other: Int) -> Demand {
            one.count.map { max($0.subtractingReportingOverflow(other).partialValue) } ?? unlimited
        }

        public static func -= (one: inout Demand, other: Int) { one = one - other }

        public static func < (one: Demand, other: Demand) -> Bool {
            guard let first = one.count else { return false }
            return other.count.map { first < $0 } ?? true
        }

        public var description: String { count.map { "max(\($0))" } ?? "unlimited" }
    }
}

extension Subscribers {
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let lock = Lock()
        private var subscription: (any Subscription)?
        private var isOver = false
        private let value: (Input) -> Void
        private let completion: (Completion<Failure>) -> Void

        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            completion = receiveCompletion
            value = receiveValue
        }

        /// Accepts the first subscription and cancels any other.
        public func receive(subscription: any Subscription) {
            let isFirst = lock.withLock {
                guard self.subscription == nil, !isOver else { return false }
                self.subscription = subscription
                return true
            }
            if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        public func receive(_ input: Input) -> Demand {
            if !lock.withLock({ isOver }) { value(input) }
            return .none
        }

        public func receive(completion: Completion<Failure>) {
            let isFirst = lock.withLock {
                defer { isOver = true }
                subscription = nil
                return !isOver
            }
            if isFirst { self.completion(completion) }
        }

        public func cancel() {
            let subscription = lock.withLock {
                defer { self.subscription = nil }
                isOver = true
                return self.subscription
            }
            subscription?.cancel()
        }
    }
}

public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    private static let counter = Atomic<UInt64>(0)

    private let number: UInt64

    public init() { number = Self.counter.add(1, ordering: .relaxed).newValue }

    public init(_ object: AnyObject) {
        // Counted identifiers are far smaller than any address.
        number = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }

    public var description: String { "0x" + String(number, radix: 16) }
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
