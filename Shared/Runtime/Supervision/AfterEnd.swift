/// A program that tidies up after a service, with the service's own environment.
///
/// However the service ended, and also when it was told to: whoever has ended cannot do it any more.
package struct AfterEnd: Sendable, Equatable {
    /// A path.
    package var executable: String
    package var arguments: [String]
    /// It is killed when it takes longer, and the service goes on without.
    package var deadlineMs: Int64

    package init(executable: String, arguments: [String] = [], deadlineMs: Int64 = 5_000) {
        self.executable = executable
        self.arguments = arguments
        self.deadlineMs = deadlineMs
    }
}
