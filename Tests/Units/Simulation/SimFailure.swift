/// A seed that breaks something, with the violation and the newest messages.
struct SimFailure: Sendable, Equatable {
    var seed: UInt64
    var text: String
}
