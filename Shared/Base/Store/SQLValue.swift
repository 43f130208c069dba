/// One value of a statement: what is bound to a `?`.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension SQLValue {
    package init(_ value: Int) { self = .integer(Int64(value)) }

    package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }

    package init(_ value: String?) { self = value.map { .text($0) } ?? .null }

    package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }

    package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

extension SQLValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension SQLValue: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) { self = .real(value) }
}

extension SQLValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
}

extension SQLValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self.init(value) }
}

extension SQLValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}
