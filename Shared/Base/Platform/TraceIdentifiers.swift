/// The identifiers of W3C Trace Context.
package enum TraceIdentifiers {
    /// 32 hexadecimal digits, not all zero.
    package static func trace() -> String { Identifier.shared.trace() }

    /// 16 hexadecimal digits, not all zero.
    package static func span() -> String { Identifier.shared.span() }
}
