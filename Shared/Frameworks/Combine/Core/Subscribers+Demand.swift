extension Subscribers {
    /// How many values a subscriber wants.
    public struct Demand: Equatable, Comparable, Hashable, Sendable, CustomStringConvertible {
        /// Nil is without limit.
        private let count: Int?

        private init(count: Int?) { self.count = count }

        /// None at the moment.
        public static let none = Demand(count: 0)

        /// All there will ever be.
        public static let unlimited = Demand(count: nil)

        /// So many; a negative number is none.
        public static func max(_ value: Int) -> Demand { Demand(count: Swift.max(0, value)) }

        /// The number, or nil when it is without limit.
        public var max: Int? { count }

        /// Both together.
        public static func + (one: Demand, other: Demand) -> Demand {
            guard let first = one.count, let second = other.count else { return unlimited }
            let (sum, overflow) = first.addingReportingOverflow(second)
            return overflow ? unlimited : Demand(count: sum)
        }

        /// Adds the other one.
        public static func += (one: inout Demand, other: Demand) { one = one + other }

        /// So many less, at least none.
        public static func - (one: Demand, other: Int) -> Demand {
            one.count.map { max($0.subtractingReportingOverflow(other).partialValue) } ?? unlimited
        }

        /// Takes so many away, at most all.
        public static func -= (one: inout Demand, other: Int) { one = one - other }

        /// Less comes first, and what is without limit last.
        public static func < (one: Demand, other: Demand) -> Bool {
            guard let first = one.count else { return false }
            return other.count.map { first < $0 } ?? true
        }

        /// For a person.
        public var description: String { count.map { "max(\($0))" } ?? "unlimited" }
    }
}
