import STContracts

struct Item: WireBody, Codable, Equatable {
    var n: Int64
    var subject: String

    /// A refused request must leave nothing behind, however far it had got.
    var isRefused: Bool { n % 7 == 3 }
    /// A subscriber that cannot read an event passes over it, and over all that it had done of it.
    var isUnreadable: Bool { n % 11 == 5 }
}
