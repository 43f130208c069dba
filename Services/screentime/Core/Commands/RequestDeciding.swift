import STContracts
import STPlatform

/// A guardian's yes or no, by passcode or by a code from a phone.
enum RequestDeciding {
    static func approve(_ invocation: Invocation) async throws -> ExitCode {
        let durationMs = try invocation.durationMs("--for")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await RequestAsking.ask(
                    RequestApprove.self,
                    .init(
                        request: invocation.subjects[0],
                        by: by,
                        passcode: passcode,
                        durationMs: durationMs
                    ),
                    clients
                )
                return (reply, reply.refusal)
            }
        }
        return try granted(reply, invocation)
    }

    static func deny(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await RequestAsking.ask(
                    RequestDeny.self,
                    .init(
                        request: invocation.subjects[0],
                        by: by,
                        passcode: passcode,
                        because: invocation.value("--because")
                    ),
                    clients
                )
                return (reply, reply.refusal)
            }
        }
        return try RequestAsking.tell(reply, "\(RequestText.what(reply.request)) is denied.", invocation)
    }

    static func code(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        // As phones show it: 123 456.
        var code = invocation.subjects.dropFirst().joined()
        if code.isEmpty {
            let keyboard = try Keyboard(invocation.terminal.keyboard)
            guard let typed = try await keyboard.line("Code from the phone: ") else {
                throw ProofPrompt.unanswered
            }
            code = typed.filter { !$0.isWhitespace }
        }
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await RequestAsking.ask(RequestCode.self, .init(request: name, code: code), clients)
        }
        if var refusal = reply.refusal {
            refusal.field = nil
            throw refusal
        }
        return try granted(reply, invocation)
    }

    private static func granted(_ reply: RequestAnswered, _ invocation: Invocation) throws -> ExitCode {
        let request = reply.request
        let until = request.untilWallMs.map { LocalTime.text(wallMs: $0) } ?? ""
        let names = RuleSentence.names(request.items)
        let what = names.isEmpty ? SubjectReader.everything : names
        return try RequestAsking.tell(
            reply,
            "\(DisplayWidth.harmless(request.member)) has \(what) until \(until).",
            invocation
        )
    }

    // MARK: - Setting up codes

    static func setUp(_ invocation: Invocation) async throws -> ExitCode {
        let member = invocation.subjects[0]
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await RequestAsking.ask(
                    RequestCodeSetup.self,
                    .init(member: member, by: by, passcode: passcode),
                    clients
                )
                return (reply, reply.refusal)
            }
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        guard let uri = reply.uri, let secret = reply.secret else { return .no }
        if terminal.isTerminal, let picture = QRPicture.lines(uri, isColoured: terminal.isColoured) {
            terminal.write((picture + [""]).joined(separator: "\n"))
        }
        RequestAsking.write(
            [
                "Scan this with an authenticator app on the guardian's phone, or type the key into it. "
                    + "It is shown this once; whoever has it makes codes.",
                "",
                "Key: \(grouped(secret))",
                "The same as an address:",
                // Alone on its line, so that nothing breaks it.
                uri,
                "",
                "From now on a code from that phone answers what \(DisplayWidth.harmless(member)) asks for: "
                    + "screentime request code R7 123456",
                "A phone that was set up before makes no good codes any more.",
            ],
            terminal
        )
        return .done
    }

    /// In groups of four, for whoever types it.
    private static func grouped(_ secret: String) -> String {
        var groups: [String] = []
        var rest = secret[...]
        while !rest.isEmpty {
            groups.append(String(rest.prefix(4)))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }
}
