import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization

/// The services that commands of requests ask, with answers made from what they are asked.
final class RequestHouse: Sendable {
    private let asked = Mutex<[(route: String, body: [UInt8])]>([])
    private let requests: [RequestView]
    private let rule: RequestRuleState
    private let delay: RuleDelay.Reply

    init(
        _ requests: [RequestView] = [],
        rule: RequestRuleState = RequestRuleState(rule: standard),
        delay: RuleDelay.Reply = RuleDelay.Reply(member: "owner", delayMs: 0)
    ) {
        self.requests = requests
        self.rule = rule
        self.delay = delay
    }

    static let standard = RequestRule(
        member: "owner",
        delayMs: 60_000,
        growthPercent: 100,
        mostMs: 900_000,
        aDay: 4
    )

    static func view(
        _ name: String = "R7",
        _ state: RequestState = .waiting,
        member: String = "kid",
        because: String? = nil,
        grantsAt: String? = nil
    ) -> RequestView {
        let isOver = state != .waiting && state != .denied && state != .withdrawn
        return RequestView(
            request: name,
            member: member,
            items: [TokenItem(kind: .application, id: "firefox")],
            durationMs: 900_000,
            because: because,
            state: state,
            askedAt: "2026-11-20T11:00:00.000Z",
            grantsAt: grantsAt,
            answeredBy: isOver || state == .denied ? "guardian" : nil,
            answer: state == .denied ? Message(verbatim: "dinner") : nil,
            fromWallMs: isOver ? 1_795_172_400_000 : nil,
            untilWallMs: isOver ? 1_795_173_300_000 : nil
        )
    }

    /// The request of a route as it came last.
    func last<R: Route>(_ route: R.Type) throws -> R.Request? {
        let body = asked.withLock { $0.last { $0.route == R.name }?.body }
        return try body.map { try R.Request.decodedBody($0) }
    }

    func run(
        _ line: [String],
        keyboard: PseudoTerminal? = nil,
        typing: @escaping @Sendable (PseudoTerminal) async throws -> Void = { _ in }
    ) async throws -> (ExitCode, CommandOutput) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        var services: [FakeService] = []
        for name in [ServiceName.activity, .shield, .auth, .report] {
            let service = try FakeService(name) { [self] route, body in
                asked.withLock { $0.append((route, body)) }
                return try answer(route, body)
            }
            try await service.start(directories)
            services.append(service)
        }
        let path = keyboard?.path ?? "/dev/null"
        async let result = CommandOutput.run(line, in: scratch.path, keyboard: path)
        if let keyboard {
            do {
                try await typing(keyboard)
            } catch {
                // The service may be waiting for anything when the test ends it.
                keyboard.type("\u{3}")
                _ = await result
                for service in services { await service.stop() }
                throw error
            }
        }
        let output = await result
        for service in services { await service.stop() }
        return output
    }

    private func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
        switch route {
        case RequestAdd.name:
            let request = try RequestAdd.Request.decodedBody(body)
            var view = Self.view(member: request.member ?? "owner", because: request.because)
            view.items = request.items
            view.durationMs = request.durationMs
            if request.member == nil { view.grantsAt = "2026-11-20T11:01:00.000Z" }
            let text = Message(verbatim: "No guardian can answer yet.")
            let note = ActivityNote(code: "request.no_guardian", text: text)
            return try RequestAdd.Reply(request: view, notes: request.member == nil ? [] : [note])
                .encodedBody()
        case RequestList.name:
            let request = try RequestList.Request.decodedBody(body)
            let found = requests.filter { request.state == nil || $0.state == request.state }
            return try RequestList.Reply(requests: found).encodedBody()
        case RequestApprove.name:
            let request = try RequestApprove.Request.decodedBody(body)
            return try answered(request.passcode, .granted)
        case RequestDeny.name:
            return try answered(try RequestDeny.Request.decodedBody(body).passcode, .denied)
        case RequestRevoke.name:
            return try RequestAnswered(request: Self.view("R7", .revoked)).encodedBody()
        case RequestCode.name:
            let isRight = try RequestCode.Request.decodedBody(body).code == "123456"
            let refusal = Problem("request.wrong_code", "Wrong, 4 left.", field: "/code")
            return try RequestAnswered(
                request: Self.view("R7", isRight ? .granted : .waiting),
                refusal: isRight ? nil : refusal
            ).encodedBody()
        case RequestCodeSetup.name:
            try prove(try RequestCodeSetup.Request.decodedBody(body).passcode)
            return try RequestCodeSetup.Reply(
                uri: "otpauth://totp/Screen%20Time:kid%40desk?secret=GEZDGNBVGY3TQOJQ",
                secret: "GEZDGNBVGY3TQOJQ"
            ).encodedBody()
        case RequestRuleShow.name: return try rule.encodedBody()
        case RequestRuleSet.name:
            return try RequestRuleSet.Reply(rule: try RequestRuleSet.Request.decodedBody(body).rule)
                .encodedBody()
        case RuleDelay.name: return try delay.encodedBody()
        case MemberList.name:
            let members = [Member(name: "owner", role: .individual), Member(name: "kid", role: .child)]
            return try MemberList.Reply(device: Device(id: "d", name: "desk"), members: members).encodedBody()
        default: throw Problem("unavailable", verbatim: route)
        }
    }

    private func prove(_ passcode: String?) throws {
        guard passcode == nil else { return }
        throw Problem("auth.proof_needed", "Proof.", details: ["prover": "guardian"])
    }

    private func answered(_ passcode: String?, _ state: RequestState) throws -> [UInt8] {
        try prove(passcode)
        let refusal =
            passcode == "right"
            ? nil
            : Problem(
                "auth.wrong_passcode",
                "Wrong, 4 left.",
                details: ["tries_left": "4"]
            )
        return try RequestAnswered(
            request: Self.view("R7", refusal == nil ? state : .waiting),
            refusal: refusal
        ).encodedBody()
    }
}
