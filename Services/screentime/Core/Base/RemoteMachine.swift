import STContracts
import STPlatform
import STWire
import STZeroMQ

/// Sends a command's requests to another machine of the household, for `--machine MACHINE`.
///
/// The command acts there as a person who has a passcode on that machine.
struct RemoteMachine: Sendable {
    /// The machine whose services this command uses. `nil` for this machine.
    @TaskLocal static var current: RemoteMachine?

    private static let option = Command.Option(
        "--machine",
        value: "MACHINE",
        summary: """
            sends the command to that machine of the household, with your passcode for it; mum@laptop also gives \
            your name
            """
    )
    private static let remoteCommands: Set<String> = [
        "status", "report", "history", "why", "rule", "limit", "downtime", "window", "goal", "break", "allow",
        "request", "member", "shield", "notification",
    ]
    /// Commands that use this machine's accounts and files, or need more than one passcode.
    private static let localOnlyCommands: Set<[String]> = [
        ["shield", "preview"], ["member", "passcode"], ["member", "account"], ["rule", "except"],
        ["rule", "apply"], ["request", "setup"],
    ]
    /// Lower bound on the timeout. The way to the machine takes time, and the machine checks a passcode first.
    private static let timeoutMin: Duration = .seconds(8)
    private static let transferTimeout: Duration = .seconds(8)

    let machine: String
    private let by: String?
    private let passcode: String?

    /// Returns the command with `--machine` if it uses nothing but services.
    static func addingOption(_ command: Command) -> Command {
        guard remoteCommands.contains(command.words.first ?? ""), !localOnlyCommands.contains(command.words)
        else {
            return command
        }
        var able = command
        able.options.insert(option, at: able.options.lastIndex { $0.name == "--json" } ?? able.options.count)
        able.run = { invocation in
            guard let place = invocation.value(option.name) else { return try await command.run(invocation) }
            let other = try await RemoteMachine(place, invocation)
            var there = invocation
            there.options[option.name] = nil
            let by = ProofPrompt.option
            if command.options.contains(where: { $0.name == by.name && $0.value == by.value }) {
                there.options[by.name] = there.options[by.name] ?? other.by
            }
            there.terminal.proof = PassedProof(passcode: other.passcode, new: nil)
            return try await $current.withValue(other) { try await command.run(there) }
        }
        return able
    }

    private init(_ place: String, _ invocation: Invocation) async throws {
        let parts = place.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        guard parts.allSatisfy({ !$0.isEmpty }), let machine = parts.last else {
            throw Problem(
                "usage.bad_value",
                """
                --machine needs the name of a machine, such as laptop. If the machine has several people, \
                put your name first: mum@laptop.
                """,
                key: "usage.bad_value.machine-has-the",
                help: "screentime household show"
            )
        }
        self.machine = machine
        by = parts.count == 2 ? parts[0] : nil
        if let passed = invocation.terminal.proof {
            passcode = passed.passcode
        } else {
            let shown = DisplayWidth.sanitized(place)
            passcode = try await Keyboard(invocation.terminal.keyboard).hiddenLine(
                Speech.say("command.your-passcode-on", "Your passcode on \(shown, "shown"): ")
            )
            guard passcode != nil else { throw ProofPrompt.unanswered }
        }
    }

    func call(
        _ route: String,
        service: ServiceName,
        body: [UInt8],
        client: BusClient,
        timeout: Duration
    ) async throws -> [UInt8] {
        let there = min(max(timeout, Self.timeoutMin), .milliseconds(LinkAsk.timeoutMsMax))
        let request = LinkAsk.Request(
            machine: machine,
            by: by,
            passcode: passcode,
            service: service.rawValue,
            route: route,
            body: String(decoding: body, as: UTF8.self),
            letter: Identifier.make(wallMs: Stopwatch.bootMilliseconds()),
            timeoutMs: there.ms
        )
        let options = CallOptions(timeoutMs: (there + Self.transferTimeout).ms)
        return Array(try await client.call(LinkAsk.self, request, options: options).body.utf8)
    }
}
