import STBus
import STContracts
import STPlatform

/// A gate of one service with one route of each kind, and requests for it.
enum Requests {
    static let owner = Principal(uid: 1000, pid: 7)
    static let root = Principal(uid: 0, pid: 8)
    static let stranger = Principal(uid: 1001, pid: 9)

    static let gate = RequestGate(
        service: .auth,
        owner: 1000,
        rules: [
            "health.ping": .init(access: [.owner, .root], kind: .read),
            "member.add": .init(access: .owner, kind: .write),
        ]
    )

    static func header(_ change: (inout RequestHeader) -> Void = { _ in }) -> [UInt8] {
        var header = RequestHeader(id: "1", route: "health.ping")
        change(&header)
        return header.encoded()
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func admit(_ frames: [[UInt8]], from principal: Principal = owner, bootMs: Int64 = 1_000)
        -> RequestGate.Admission
    {
        gate.admit(frames, from: principal, bootMs: bootMs, ns: 0)
    }
}

extension RequestGate.Admission {
    var request: AdmittedRequest? {
        guard case .accepted(let request, _) = self else { return nil }
        return request
    }

    var code: String? {
        guard case .refused(_, let problem, _, _) = self else { return nil }
        return problem.code
    }

    var reply: [[UInt8]]? {
        guard case .refused(let reply, _, _, _) = self else { return nil }
        return reply
    }
}
