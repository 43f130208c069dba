import STContracts
import STPlatform

/// `screentime data verify`.
enum DataVerify {
    static let command = Command(
        ["data", "verify"],
        "Checks the ledger of use against its chain of hashes",
        options: [.json],
        example: "screentime data verify"
    ) { try await run($0) }

    /// A person is told about once a second.
    private static let tellEveryMs: Int64 = 1_000

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            var reply = try await ask(nil, clients)
            var toldMs = Stopwatch.milliseconds()
            while let next = reply.next {
                if !invocation.wantsJSON, terminal.isTerminal,
                    Stopwatch.milliseconds() - toldMs >= tellEveryMs
                {
                    toldMs = Stopwatch.milliseconds()
                    terminal.note("\(reply.checked) of \(reply.total) rows")
                }
                let page = try await ask(next, clients)
                guard page.checked > reply.checked || page.next == nil else {
                    throw Problem("data.no_progress", "activity-center does not get any further; try again.")
                }
                reply = page
            }
            return reply
        }
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
        } else {
            terminal.write(lines(reply).joined(separator: "\n"))
        }
        return reply.fault == nil ? .done : .no
    }

    private static func ask(_ next: String?, _ clients: ServiceClients) async throws -> UsageVerify.Reply {
        try await clients.call(UsageVerify.self, .init(next: next), timeoutMs: BusLimits.timeoutMsMax)
    }

    static func lines(_ reply: UsageVerify.Reply) -> [String] {
        if let fault = reply.fault {
            let before = "The \(rows(reply.checked)) before it are as they were written."
            return [
                DisplayWidth.harmless(fault.text), fault.row > 1 ? before : "No row before it was checked.",
            ]
        }
        var lines = ["The ledger is as it was written: \(rows(reply.total))."]
        if reply.forgotten > 0 {
            lines.append("Of \(rows(reply.forgotten)) the content was deleted with `screentime data forget`.")
        }
        if let chain = reply.chain {
            lines.append("Its last link is \(chain).")
            lines.append(
                "The chain has no key: noted down elsewhere, this link shows whether it was written anew."
            )
        }
        return lines
    }

    private static func rows(_ count: Int64) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
