import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// Enrols machines without a person, by a token file, for example in a school. Also renews keys of machines and households.
enum HouseholdTokens {
    private static let joinTimeout: Duration = .seconds(30)
    private static let renewTimeout: Duration = .seconds(20)

    static func make(_ invocation: Invocation) async throws -> ExitCode {
        func number(_ option: String) throws(Problem) -> Int64 {
            guard let number = invocation.value(option).flatMap({ Int64($0) }) else {
                throw Problem(
                    "usage.bad_value",
                    "\(option, "option") needs a whole number.",
                    key: "usage.bad_value.say-with-a",
                    help: "screentime household token school.token --machines 30 --days 14"
                )
            }
            return number
        }
        let ends = invocation.has("--end")
        let (machines, days) = ends ? (1, 1) : (try number("--machines"), try number("--days"))
        let prompt = ProofPrompt(invocation)
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation: invocation) {
            clients in
            try await prompt.run { proof in
                try await clients.call(
                    HouseholdToken.self,
                    .init(machines: machines, days: days, ends: ends ? true : nil, proof: proof)
                )
            }
        }
        let file = invocation.subjects[0]
        if let token = reply.token {
            try AtomicFile.write(Array((token + "\n").utf8), to: file, durable: true)
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            guard let until = reply.until else {
                return [
                    Speech.say(
                        "household.all-tokens-are-over",
                        "All tokens have been revoked. Machines that have joined stay in the household."
                    )
                ]
            }
            let when = TimeText.text(wire: until)
            return [
                Speech.say(
                    "household.lets-in-machines-until",
                    """
                    Machines that can join with \(file, "file") until \(when, "when"): \
                    \(machines, "machines"). Anyone who has the file can join a machine to the household, so \
                    delete it from each machine afterwards.
                    """
                ),
                ProblemText.asTyped(
                    Speech.say(
                        "household.on-each-machine-screentime",
                        "On each machine: `screentime household enrol \(file, "file")`."
                    )
                ),
            ]
        }
    }

    static func enrol(_ invocation: Invocation) async throws -> ExitCode {
        let code = try ProofPrompt.secret(in: invocation.subjects[0])
        let wanted = try HouseholdCommand.accounts(invocation.value("--as"))
        let passcode = try invocation.value("--passcode").map { try ProofPrompt.secret(in: $0) }
        let identity = invocation.value("--identity")
        let accounts = try await ServiceClients.with(invocation.directories) { clients in
            let members = try await clients.call(MemberList.self, Empty()).members
            return wanted.isEmpty
                // The members beyond the limit are added with their usage.
                ? members.prefix(HouseholdAccount.max).map {
                    HouseholdAccount(here: $0.name, member: $0.name)
                } : wanted
        }
        let prompt = ProofPrompt(invocation, passcode: passcode)
        let shown = try await HouseholdCommand.with(.link, invocation: invocation) { clients in
            _ = try await prompt.run { proof in
                try await clients.call(
                    LinkJoin.self,
                    .init(
                        code: code,
                        accounts: accounts,
                        identity: identity,
                        everyone: wanted.isEmpty ? true : nil,
                        proof: proof
                    )
                )
            }
            let deadline = SuspendingClock.now + joinTimeout
            while true {
                let shown = try await clients.call(LinkShow.self, Empty())
                if shown.state == .joined { return shown }
                if let problem = shown.problem, shown.state == .alone { throw problem }
                guard SuspendingClock.now < deadline else {
                    let address = shown.address ?? ""
                    throw Problem(
                        "household.not_yet",
                        """
                        The household at \(address, "address") has not approved this machine yet. To check \
                        again: screentime household show
                        """,
                        retryable: true
                    )
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        let address = shown.address ?? ""
        let people = accounts.map(\.here).joined(separator: ", ")
        return try invocation.show(json: try JSONOutput.pretty(of: shown), wraps: true) {
            [
                Speech.say(
                    "household.this-machine-belongs-to-the-household-at",
                    "This machine belongs to the household at \(address, "address"), with \(people, "people")."
                )
            ]
        }
    }

    /// Renews this machine's keys. The household adopts them when this machine can connect to its hub.
    static func renew(_ invocation: Invocation) async throws -> ExitCode {
        let isKnown = try await HouseholdCommand.with(.link, isWanted: false, invocation: invocation) {
            clients in
            _ = try await clients.call(LinkRenew.self, Empty())
            let deadline = SuspendingClock.now + renewTimeout
            repeat {
                let shown = try await clients.call(LinkShow.self, Empty())
                if shown.isRenewing != true, shown.isConnected { return true }
                try await Task.sleep(for: .milliseconds(100))
            } while SuspendingClock.now < deadline
            return false
        }
        return invocation.show(
            json: JSONOutput.pretty(.object(["is_known": .bool(isKnown)])),
            wraps: true
        ) {
            [
                isKnown
                    ? Speech.say(
                        "household.this-machine-has-new",
                        "This machine has new keys, and the household has received them. The old keys are rejected."
                    )
                    : Speech.say(
                        "household.this-machine-has-new-keys",
                        """
                        This machine has new keys. The household adopts them when this machine can connect \
                        to the household's hub. Until then, the old keys stay valid.
                        """
                    )
            ]
        }
    }

    static func rekey(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let now = invocation.has("--now") ? true : nil
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation: invocation) {
            clients in
            try await prompt.run { try await clients.call(HouseholdRekey.self, .init(now: now, proof: $0)) }
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            guard reply.isTaken else { return waiting(reply) }
            let away = reply.machines - reply.known
            return [
                Speech.say(
                    "household.the-household-has-a",
                    "The household has a new key. Open invitations and tokens are no longer valid."
                )
            ]
                + (away > 0
                    ? [
                        Speech.say(
                            "household.of-its-machines-did",
                            """
                            Machines that had not received the key yet: \(away, "away") of \
                            \(reply.machines, "machines"). On those machines, leave the household and join \
                            it again.
                            """
                        )
                    ] : [])
        }
    }

    static func waiting(_ rekey: HouseholdRekey.Reply) -> [String] {
        [
            ProblemText.asTyped(
                Speech.say(
                    "household.the-household-takes-its",
                    """
                    The household adopts its new key when all machines have received it. So far, \
                    \(rekey.known, "known") of \(rekey.machines, "machines") have. To adopt it without \
                    waiting, type `screentime household rekey --now`.
                    """
                )
            )
        ]
    }
}
