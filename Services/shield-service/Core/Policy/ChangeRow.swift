import STContracts

/// One change as it is written down.
struct ChangeRow {
    var policy: Int64
    /// Of whose events this is one; a later one of the same subject takes its place.
    var subject: String
    var member: String
    var route: String
    var wallMs: Int64
    var cause: String?
    /// The event's.
    var type: String
    var body: [UInt8]
    /// Whether after it there is nothing left to remember of the subject.
    var isGone = false
}
