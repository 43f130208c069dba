/// What the shell is told.
package enum ExitCode: Int32, Sendable {
    case done = 0
    /// The answer is no, or it did not work.
    case no = 1
    case usage = 2
    case notRunning = 3
    case notAllowed = 4
}
