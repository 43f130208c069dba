import STContracts
import STPlatform

/// `screentime app access`: asks a person if an app may have access, and sends the answer.
enum AppAccessCommand {
    static let command = Command(
        ["app", "access"],
        "Grants or revokes an app's access to Screen Time; asks for the passcode of the person who decides",
        subjects: [
            .init(
                "APP",
                "the app's id; `screentime app list` shows it",
                key: "help.arg-app.its-id-screentime-app-list"
            ),
            .init("on|off", "`on` or `off`; without it, shows the current setting", isOptional: true),
        ],
        options: [
            .init(
                "--member",
                value: "NAME",
                summary: "the person; by default the owner of this account",
                key: "help.--member.for-whom-by-default-the"
            ),
            ProofPrompt.option,
            .init("--request", value: "ID", summary: "the request to answer, if the app has sent one"),
            .json,
        ],
        example: "screentime app access promise on"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let isOn = try AppInstallCommand.onOrOff(invocation, "access")
        return try await ServiceClients.with(invocation.directories) { clients in
            switch isOn {
            case true: try await allow(invocation, clients)
            case false: try await deny(invocation, clients)
            case nil: try AppInstallCommand.show(try await status(invocation, clients), invocation)
            }
        }
    }

    private static func status(_ invocation: Invocation, _ clients: ServiceClients) async throws
        -> Authorization
    {
        try await clients.call(
            AuthStatus.self,
            .init(app: invocation.subjects[0], member: invocation.value("--member"))
        )
    }

    private static func deny(_ invocation: Invocation, _ clients: ServiceClients) async throws -> ExitCode {
        let denied = try await ProofPrompt(invocation).run { by, passcode in
            let reply = try await clients.call(
                AuthSwitch.self,
                .init(
                    app: invocation.subjects[0],
                    member: invocation.value("--member"),
                    access: false,
                    by: by,
                    passcode: passcode
                )
            )
            return (reply.authorization, reply.refusal)
        }
        return try AppInstallCommand.show(denied, invocation)
    }

    private static func allow(_ invocation: Invocation, _ clients: ServiceClients) async throws -> ExitCode {
        guard let question = try await question(invocation, clients) else {
            return try AppInstallCommand.show(try await status(invocation, clients), invocation)
        }
        let keyboard = try Keyboard(invocation.terminal.keyboard)
        keyboard.say(text(question))
        guard try await decision(keyboard) else {
            let reply = try await clients.call(
                AuthAnswer.self,
                .init(request: question.request, allow: false)
            )
            _ = try AppInstallCommand.show(reply.authorization, invocation)
            return .no
        }
        let allowed = try await ProofPrompt(invocation).run { by, passcode in
            let reply = try await clients.call(
                AuthAnswer.self,
                .init(request: question.request, allow: true, by: by, passcode: passcode)
            )
            return (reply.authorization, reply.refusal)
        }
        return try AppInstallCommand.show(allowed, invocation)
    }

    /// Returns the app's pending question, or else the question that it would ask. Returns `nil` if it already has access.
    private static func question(_ invocation: Invocation, _ clients: ServiceClients) async throws
        -> AuthQuestion?
    {
        let app = invocation.subjects[0]
        if let id = invocation.value("--request") {
            let asked = try await clients.call(AuthQuestionShow.self, .init(request: id))
            guard asked.app == app else {
                throw Problem(
                    "usage.other_request",
                    """
                    Request \(id, "id") comes from \(DisplayWidth.sanitized(asked.app), "app"), not from \
                    \(DisplayWidth.sanitized(app), "app2").
                    """,
                    help: "screentime app access \(asked.app) on --request \(id)"
                )
            }
            return asked
        }
        let members = try await clients.call(MemberList.self, Empty()).members
        let name = invocation.value("--member") ?? members.first?.name
        let isChild = members.first { $0.name == name }?.role == .child
        let request = AuthRequest.Request(
            app: app,
            member: name,
            scope: isChild ? .child : .individual,
            again: true
        )
        return try await clients.call(AuthRequest.self, request).question
    }

    private static func text(_ question: AuthQuestion) -> String {
        let app = DisplayWidth.sanitized(question.appName)
        let id = DisplayWidth.sanitized(question.app)
        let member = DisplayWidth.sanitized(question.member)
        let names = question.provers.map(DisplayWidth.sanitized).joined(
            separator: Speech.say("app.or", " or ")
        )
        let end = TimeText.text(wire: question.expiresAt)
        let asks = Speech.say(
            "app.would-like-to-use",
            """
            “\(app, "app")” (\(id, "id")) would like to use Screen Time for \(member, "member"). If you \
            allow it, it can:
            """
        )
        let reasons = question.reasons.map { "  - \(DisplayWidth.sanitized(Speech.say($0)))" }
        let decides = Speech.say("app.decides-until", "\(names, "names") can decide until \(end, "end").")
        return (["", asks, ""] + reasons + ["", decides]).joined(separator: "\n")
    }

    private static func decision(_ keyboard: Keyboard) async throws -> Bool {
        while true {
            guard
                let answer = try await keyboard.line(
                    Speech.say("app.a-allow-d-dont", "[a] Allow   [d] Don’t Allow : ")
                )
            else {
                throw ProofPrompt.unanswered
            }
            switch answer.lowercased().trimmingPrefix(while: \.isWhitespace).prefix(while: {
                !$0.isWhitespace
            }) {
            case "a", "allow", "y", "yes": return true
            case "d", "don't", "don’t", "deny", "n", "no": return false
            default: keyboard.say("Type a or d.")
            }
        }
    }
}
