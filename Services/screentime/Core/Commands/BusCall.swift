import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// `screentime bus call`.
enum BusCall {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let route = invocation.subjects[0]
        let service = try target(of: route, try invocation.service("--to"))
        let text = invocation.subjects.count > 1 ? invocation.subjects[1] : "{}"
        let body = try body(text)
        try refusePasscode(route, text, body)
        let timeoutMs = try invocation.durationMs("--timeout") ?? BusLimits.timeoutMsDefault
        guard timeoutMs <= BusLimits.timeoutMsMax else {
            throw Problem("usage.bad_duration", "--timeout can be 60s at most.", help: "--timeout 60s")
        }
        let key = invocation.value("--idempotency-key")
        let terminal = invocation.terminal
        do {
            let reply = try await ServiceClients.with(invocation.directories) {
                try await $0.callRaw(
                    route,
                    to: service,
                    body,
                    CallOptions(timeoutMs: timeoutMs, idempotencyKey: key)
                )
            }
            terminal.write(JSONOutput.pretty(reply))
            return .done
        } catch let problem as Problem {
            // Whoever speaks the protocol by hand wants the code as well.
            ProblemText.show(problem, terminal, asJSON: invocation.wantsJSON, withCode: true)
            return ProblemText.exitCode(problem)
        }
    }

    static func target(of route: String, _ asked: ServiceName?) throws(Problem) -> ServiceName {
        if let asked { return asked }
        if let owner = Catalogue.owner(ofRoute: route) { return owner }
        if Catalogue.common.contains(where: { $0.name == route }) {
            throw Problem(
                "usage.target_missing",
                "Every service answers \(route); say with --to which one is meant.",
                help: "screentime bus call \(route) --to \(ServiceName.activity)"
            )
        }
        let routes = (Catalogue.common + Catalogue.entries.flatMap(\.routes)).map(\.name)
        let near = TextFormat.closest(to: route, in: routes)
        throw Problem(
            "usage.unknown_route",
            "No service has the route \(route)" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime bus call \($0)" } ?? "screentime bus describe"
        )
    }

    private static func body(_ text: String) throws(Problem) -> [UInt8] {
        let bytes: [UInt8]
        if text == "-" {
            bytes = try standardInput()
        } else if text.hasPrefix("@") {
            bytes = try AtomicFile.read(String(text.dropFirst()), limitBytes: BusLimits.requestBodyBytes)
        } else {
            bytes = Array(text.utf8)
        }
        do {
            try JSONText.requireObject(bytes)
        } catch {
            throw Problem(
                "usage.bad_body",
                "The body must be one JSON object, in quotes so that the shell leaves it alone.",
                help: "screentime bus call usage.list '{\"limit\":10}'"
            )
        }
        return bytes
    }

    /// What stands in a command can be read by every program of this computer, and stays in the shell's history.
    private static func refusePasscode(_ route: String, _ text: String, _ body: [UInt8]) throws(Problem) {
        let isConfidential = Catalogue.entries.flatMap(\.routes).contains {
            $0.name == route && $0.isConfidential
        }
        guard isConfidential, text != "-", !text.hasPrefix("@") else { return }
        let value = try JSONOutput.value(body)
        guard value["passcode"] != nil || value["proof"] != nil else { return }
        throw Problem(
            "usage.passcode_in_command",
            "A passcode does not belong into a command, where others can read it. Give the body on standard input.",
            help: "screentime bus call \(route) -"
        )
    }

    private static func standardInput() throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.last("Reading standard input") }
            if count == 0 { return bytes }
            bytes += part[..<count]
            guard bytes.count <= BusLimits.requestBodyBytes else {
                throw Problem(
                    "usage.body_too_large",
                    "The body is larger than \(BusLimits.requestBodyBytes) bytes."
                )
            }
        }
    }
}
