/// Where time comes from.
///
/// Nothing in Core or Domain reads a clock; it is handed a reading, or one of these.
package protocol TimeSource: Sendable {
    func now() -> TimeReading

    /// Changes with every start of the machine, so that boot times of two starts are never compared.
    var bootID: String { get }

    /// The IANA name of the local zone, such as `Asia/Seoul`.
    func zone() -> String

    /// Returns once boot time has reached the moment given, or throws when the task is cancelled.
    func sleep(untilBootMs: Int64) async throws

    /// For `DueAlarm`.
    func makeWaker(_ callbacks: DueCallbacks) throws(Problem) -> any DueWaker
}
