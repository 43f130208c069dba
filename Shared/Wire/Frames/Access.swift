/// Who may call a route.
///
/// In personal mode everything runs under one uid: this guards against mistakes and against other accounts,
/// not against that person's own programs.
package struct Access: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The account that the service itself runs as.
    package static let owner = Access(rawValue: 1)
    /// The machine's administrator, when that is another account than the owner.
    package static let root = Access(rawValue: 2)

    package var names: [String] {
        (contains(.owner) ? ["owner"] : []) + (contains(.root) ? ["root"] : [])
    }
}
