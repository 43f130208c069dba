import STBus
import STContracts

/// One caller's connection to one service: a DEALER for requests, and a SUB when it follows a stream.
final class SimLink {
    let caller: ServiceName
    let server: ServiceName
    var calls: CallTable
    var answers: [String: (CallTable.Outcome) -> Void] = [:]
    var isConnected = false
    var wasConnected = false
    /// Nobody can connect until then.
    var cutUntilMs: Int64 = 0
    /// Everything is lost without anybody noticing.
    var silentUntilMs: Int64 = 0
    /// The subscriber is slow: its messages wait, and the newest are dropped.
    var slowUntilMs: Int64 = 0

    init(_ caller: ServiceName, _ server: ServiceName) {
        self.caller = caller
        self.server = server
        calls = CallTable(peer: server)
    }

    /// The caller's process is gone, and with it what it had asked.
    func forget() {
        calls = CallTable(peer: server)
        answers = [:]
        isConnected = false
        wasConnected = false
    }

    func heal() {
        cutUntilMs = 0
        silentUntilMs = 0
        slowUntilMs = 0
    }
}
