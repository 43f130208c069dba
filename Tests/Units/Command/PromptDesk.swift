import STContracts
import STPlatform
import Synchronization

/// What auth-service would do, as far as a prompt needs it.
final class PromptDesk: Sendable {
    struct Asked: Sendable {
        var route: String
        var body: String
    }

    let asked = Mutex<[Asked]>([])
    let guardians: [String]

    init(guardians: [String] = ["guardian"]) { self.guardians = guardians }

    var bodies: [String] { asked.withLock { $0.map(\.body) } }

    func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
        asked.withLock { $0.append(Asked(route: route, body: String(decoding: body, as: UTF8.self))) }
        switch route {
        case MemberList.name:
            let members = [Member(name: "owner", role: .individual), Member(name: "kid", role: .child)]
            return try MemberList.Reply(device: Device(id: "1", name: "desk"), members: members)
                .encodedBody()
        case MemberShow.name:
            return try MemberShow.Reply(
                member: Member(name: "kid", role: .child),
                passcode: PasscodeView(isSet: false),
                records: [],
                authorizations: [],
                notices: []
            ).encodedBody()
        case AuthRequest.name:
            return try AuthRequest.Reply(authorization: known(.notDetermined), question: question)
                .encodedBody()
        case AuthQuestionShow.name: return try question.encodedBody()
        case AuthAnswer.name: return try answer(try AuthAnswer.Request.decodedBody(body)).encodedBody()
        case AuthSwitch.name:
            let request = try AuthSwitch.Request.decodedBody(body)
            let refusal = try proof(by: request.by, request.passcode)
            return try AuthSwitch.Reply(authorization: known(.denied), refusal: refusal).encodedBody()
        case MemberPasscode.name:
            let request = try MemberPasscode.Request.decodedBody(body)
            let refusal = try proof(by: request.by, request.proof)
            return try MemberPasscode.Reply(member: request.member, refusal: refusal).encodedBody()
        default: throw Problem("route.not_found", verbatim: route)
        }
    }

    private func answer(_ request: AuthAnswer.Request) throws -> AuthAnswer.Reply {
        guard request.allow else {
            return AuthAnswer.Reply(authorization: known(.denied), question: question)
        }
        let refusal = try proof(by: request.by, request.passcode)
        return AuthAnswer.Reply(
            authorization: known(refusal == nil ? .approved : .notDetermined),
            question: question,
            refusal: refusal
        )
    }

    private func proof(by: String?, _ passcode: String?) throws -> Problem? {
        if guardians.count > 1, by == nil {
            throw Problem(
                "auth.who_proves",
                "Who?",
                details: ["provers": guardians.joined(separator: "/")]
            )
        }
        let prover = by ?? guardians[0]
        switch passcode {
        case nil: throw Problem("auth.proof_needed", "Proof.", details: ["prover": prover])
        case "right": return nil
        case "locked":
            return Problem(
                "auth.wrong_passcode",
                "Wrong, and a pause.",
                details: ["tries_left": "0", "retry_after_ms": "60000"]
            )
        default: return Problem("auth.wrong_passcode", "Wrong, 4 left.", details: ["tries_left": "4"])
        }
    }

    private var question: AuthQuestion {
        AuthQuestion(
            request: "Q1",
            app: "promise",
            appName: "The Promise",
            member: "kid",
            scope: .child,
            reasons: [Message(verbatim: "See how long things are used.")],
            provers: guardians,
            state: .pending,
            expiresAt: "2026-11-20T17:01:00.000Z"
        )
    }

    private func known(_ status: AuthorizationStatus) -> Authorization {
        Authorization(
            app: "promise",
            member: "kid",
            status: status,
            scope: .child,
            access: status == .approved,
            enforce: status == .approved,
            generation: 0
        )
    }
}
