import STCQRCode
import STContracts
import STDomain
import STPlatform

/// Answers requests: by a guardian's passcode, or by a code from a phone.
enum RequestDecision {
    static func approve(_ invocation: Invocation) async throws -> ExitCode {
        let length = try invocation.duration("--for")
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await ProofPrompt(invocation).run { by, passcode in
                let request = RequestApprove.Request(
                    request: invocation.subjects[0],
                    by: by,
                    passcode: passcode,
                    durationMs: length?.ms
                )
                let reply = try await clients.callTyped(RequestApprove.self, request)
                return (reply, reply.refusal)
            }
            return (
                reply,
                await RequestSubmission.names([reply.request], invocation: invocation, clients: clients)
            )
        }
        return try granted(reply, apps: apps, invocation: invocation)
    }

    static func grant(_ invocation: Invocation) async throws -> ExitCode {
        let words = invocation.subjects
        guard words.count > 1 else {
            let isRequest = words[0].first?.lowercased() == "r" && Int64(words[0].dropFirst()) != nil
            throw Problem(
                "usage.subject_missing",
                text: isRequest
                    ? Message(
                        "usage.subject_missing.a-request-is-approved",
                        "Use `request approve` for a request. `grant` gives time to a person."
                    )
                    : Message(
                        "usage.subject_missing.duration-is-missing",
                        "DURATION is missing. Give a duration, such as 30m."
                    ),
                help: isRequest
                    ? "screentime request approve \(words[0])"
                    : "screentime grant \(TextFormat.durationMs(words[0]) == nil ? words[0] : "NAME") 30m"
            )
        }
        let line = "screentime grant \(words[0]) \(words[1])"
        guard let durationMs = TextFormat.durationMs(words[1]) else {
            throw Problem(
                "usage.bad_duration",
                "“\(words[1], "words")” is not a duration; write it as 30m or 1h30m.",
                key: "usage.bad_duration.is-not-a-length-of-time",
                help: "screentime grant \(words[0]) 30m"
            )
        }
        let items = try SubjectReader.items(Array(words.dropFirst(2)), after: line)
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(words[0], clients)
            var resolving = AppArgumentResolver(await AppFinder.load(invocation, clients))
            let found = try resolving.items(items)
            let reply = try await ProofPrompt(invocation).run { by, passcode in
                let request = RequestGrant.Request(
                    member: words[0],
                    items: found,
                    durationMs: durationMs,
                    by: by,
                    passcode: passcode
                )
                let reply = try await clients.callTyped(RequestGrant.self, request)
                return (reply, reply.refusal)
            }
            guard let request = reply.request else { throw reply.refusal ?? ProofPrompt.unanswered }
            let answered = RequestAnswered(request: request)
            return (
                answered, await RequestSubmission.names([request], invocation: invocation, clients: clients)
            )
        }
        return try granted(reply, apps: apps, invocation: invocation)
    }

    static func deny(_ invocation: Invocation) async throws -> ExitCode {
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await ProofPrompt(invocation).run { by, passcode in
                let request = RequestDeny.Request(
                    request: invocation.subjects[0],
                    by: by,
                    passcode: passcode,
                    because: invocation.value("--because")
                )
                let reply = try await clients.callTyped(RequestDeny.self, request)
                return (reply, reply.refusal)
            }
            return (
                reply,
                await RequestSubmission.names([reply.request], invocation: invocation, clients: clients)
            )
        }
        return try RequestSubmission.show(
            reply,
            text: Speech.say(
                "request.is-denied",
                "\(RequestText.summary(reply.request, apps), "what") is denied."
            ),
            invocation: invocation
        )
    }

    static func code(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        // Phones show a code in two groups, for example 123 456.
        var code = invocation.subjects.dropFirst().joined()
        if code.isEmpty {
            let keyboard = try Keyboard(invocation.terminal.keyboard)
            guard
                let typed = try await keyboard.line(
                    Speech.say("request.code-from-the-phone", "Code from the phone: ")
                )
            else {
                throw ProofPrompt.unanswered
            }
            code = typed.filter { !$0.isWhitespace }
        }
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { [code] clients in
            let reply = try await clients.callTyped(RequestCode.self, .init(request: name, code: code))
            if var refusal = reply.refusal {
                refusal.field = nil
                throw refusal
            }
            return (
                reply,
                await RequestSubmission.names([reply.request], invocation: invocation, clients: clients)
            )
        }
        return try granted(reply, apps: apps, invocation: invocation)
    }

    private static func granted(_ reply: RequestAnswered, apps: DisplayNames, invocation: Invocation)
        throws
        -> ExitCode
    {
        let request = reply.request
        let until = request.untilWallMs.map(invocation.moments.text) ?? ""
        let member = DisplayWidth.sanitized(request.member)
        return try RequestSubmission.show(
            reply,
            text: "\(member) has \(RequestText.itemNames(request, apps)) until \(until).",
            invocation: invocation
        )
    }

    // MARK: - Setting up codes

    static func setUp(_ invocation: Invocation) async throws -> ExitCode {
        let member = invocation.subjects[0]
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { by, passcode in
                let request = RequestCodeSetup.Request(member: member, by: by, passcode: passcode)
                let reply = try await clients.callTyped(RequestCodeSetup.self, request)
                return (reply, reply.refusal)
            }
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(try JSONOutput.pretty(of: reply))
            return .done
        }
        guard let uri = reply.uri, let secret = reply.secret else { return .no }
        if invocation.has("--svg") {
            guard let picture = QRPicture.svg(uri, below: grouped(secret)) else {
                throw Problem("request.no_picture", "The key is too long for a QR code. Leave out --svg.")
            }
            terminal.write(picture)
            return .done
        }
        if terminal.isTerminal, let picture = QRPicture.lines(uri, isColoured: terminal.isColoured) {
            terminal.write((picture + [""]).joined(separator: "\n"))
        }
        let shown = DisplayWidth.sanitized(member)
        terminal.write(wrapping: [
            Speech.say(
                "request.scan-this-with-an",
                """
                Scan the QR code with an authenticator app on the guardian's phone, or type the key into the \
                app. The key is shown only once. Keep it secret: anyone who has it can generate codes.
                """
            ),
            "",
            Speech.say("request.key", "Key: ") + grouped(secret),
            Speech.say("request.the-same-key-as", "The same key as a link:"),
            // On a separate line, so that it is not broken.
            uri,
            "",
            Speech.say(
                "request.from-now-on-a",
                "From now on, a code from that phone grants requests of \(shown, "shown"): "
            ) + "screentime request code R7 123456",
            Speech.say(
                "request.codes-from-a-phone",
                "Codes from a phone that was set up earlier no longer work."
            ),
            "",
            Speech.say(
                "request.this-computer-checks-the",
                """
                This computer checks the codes, so it also stores the key, which this account can read. \
                Anyone who uses this account and knows where to look can generate codes. A passcode cannot \
                be read, because only its hash is stored.
                """
            ),
        ])
        return .done
    }

    /// Returns groups of four characters, which are easier to type.
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

/// `screentime request edit`: edits the rule for answering a person's own requests.
enum RequestRuleEditing {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let delay = try duration("--delay", invocation)
        let most = try invocation.duration("--most")
        let growth = try number("--growth", invocation)
        let aDay = try number("--a-day", invocation)
        let expires = try invocation.duration("--expires")
        let member = invocation.value("--member")
        let isChange =
            delay != nil || most != nil || growth != nil || aDay != nil || expires != nil
        let (changed, now) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let known = try await clients.call(RequestRuleShow.self, .init(member: member))
            guard isChange else { return (RequestRuleSet.Reply?.none, known) }
            // A pending change contains the latest decision, so further changes build on it.
            var rule = known.next ?? known.rule
            rule.delayMs = delay?.ms ?? rule.delayMs
            rule.mostMs = most?.ms ?? rule.mostMs
            rule.growthPercent = growth ?? rule.growthPercent
            rule.aDay = aDay ?? rule.aDay
            rule.expiresMs = expires?.ms ?? rule.expiresMs
            let changed = try await ProofPrompt(invocation).run { by, passcode in
                let request = RequestRuleSet.Request(rule: rule, by: by, passcode: passcode)
                let reply = try await clients.callTyped(RequestRuleSet.self, request)
                return (reply, reply.refusal)
            }
            return (changed, try await clients.call(RequestRuleShow.self, .init(member: member)))
        }
        var lines = RequestText.rule(now.rule)
        if now.grantedToday > 0 {
            lines.append(
                Speech.say(
                    "request.granted-so-far-today",
                    "Requests granted so far today: \(now.grantedToday, "granted")."
                )
            )
        }
        if let next = now.next, let from = now.nextFromWallMs {
            let start = invocation.moments.text(from)
            lines.append(
                Speech.say(
                    "request.from-because-it-is",
                    "These looser settings apply from \(start, "start"):"
                )
            )
            lines += RequestText.rule(next).map { "  " + $0 }
            lines.append(
                Speech.say("request.to-keep-the-stricter", "To keep the stricter settings, set them again: ")
                    + line(now.rule, invocation)
            )
        }
        return try invocation.show(
            json: try changed.map { try JSONOutput.pretty(of: $0) } ?? JSONOutput.pretty(of: now),
            wraps: true
        ) { lines }
    }

    private static func line(_ rule: RequestRule, _ invocation: Invocation) -> String {
        let member = invocation.value("--member").map { " --member \($0)" } ?? ""
        let delay = TextFormat.typedDuration(ms: rule.delayMs)
        return "screentime request edit\(member) --delay \(delay) --growth \(rule.growthPercent)% "
            + "--most \(TextFormat.typedDuration(ms: rule.mostMs)) --a-day \(rule.aDay)"
    }

    private static func duration(_ option: String, _ invocation: Invocation) throws(Problem) -> Duration? {
        invocation.value(option) == "0" ? .zero : try invocation.duration(option)
    }

    /// Parses `4`, or `100%`.
    private static func number(_ option: String, _ invocation: Invocation) throws(Problem) -> Int64? {
        guard let text = invocation.value(option) else { return nil }
        let digits = option == "--growth" && text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let number = Int64(digits), (0...1_000_000).contains(number) else {
            let example = option == "--growth" ? "100%" : "4"
            throw Problem(
                "usage.bad_number",
                "\(option, "option") is “\(text, "text")”; it must be a number such as \(example, "example").",
                key: "usage.bad_number.is-it-must",
                help: "\(option) \(example)"
            )
        }
        return number
    }
}

/// A text as a QR code.
package enum QRPicture {
    /// The light margin, in modules. Readers do not find the code without it.
    private static let margin = 2

    /// Returns the code for a terminal, or `nil` if the text is too long.
    ///
    /// Each line contains two rows of modules, because a character is twice as high as it is wide. With colours the code is black
    /// on white. Without colours only light modules are drawn, because most terminals are dark.
    package static func lines(_ text: String, isColoured: Bool) -> [String]? {
        guard let dark = dark(text) else { return nil }
        let isDark = { (row: Int, column: Int) in
            dark.indices.contains(row) && dark.indices.contains(column) && dark[row][column]
        }
        return stride(from: -margin, to: dark.count + margin, by: 2).map { row in
            let line = (-margin..<(dark.count + margin)).map { column -> Character in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return isColoured ? "\u{1B}[97;40m\(String(line))\u{1B}[0m" : String(line)
        }
    }

    /// Returns the code for a page or a file, with a line below that a person can type instead.
    package static func svg(_ text: String, below: String) -> String? {
        guard let dark = dark(text) else { return nil }
        let side = dark.count + 2 * margin
        let squares = dark.enumerated().flatMap { row, line in
            line.indices.filter { line[$0] }.map { "M\($0 + margin) \(row + margin)h1v1h-1z" }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side + 3)">
            <rect width="100%" height="100%" fill="#fff"/>
            <path shape-rendering="crispEdges" d="\(squares.joined())"/>
            <text x="\(side / 2)" y="\(side + 1)" font-size="1.6" font-family="monospace" text-anchor="middle">\(below)</text>
            </svg>
            """
    }

    /// Returns the modules row by row. A dark module is true.
    private static func dark(_ text: String) -> [[Bool]]? {
        // Version zero is the smallest that fits. Eight-bit mode keeps lower-case letters of addresses.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        return (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
    }
}
