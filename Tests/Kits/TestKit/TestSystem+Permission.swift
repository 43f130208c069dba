package import STContracts
import STPlatform
import STZeroMQ

/// Permission as a person gives it, for tests that are about what comes after.
extension TestSystem {
    /// Installs an app that has a monitor extension, unless a bundle is given, and allows it.
    ///
    /// The passcode of whoever decides is set when there is none.
    @discardableResult
    package func approve(
        _ app: String,
        member: String? = nil,
        scope: AuthorizationScope = .individual,
        bundle: String? = nil,
        programs: String? = nil
    ) async throws -> Authorization {
        let folder = try bundle ?? AppBundle(in: scratch, id: app).path
        _ = try await client.call(AppInstall.self, .init(bundle: folder, programs: programs))
        let prover = try await prover(member, scope)
        let asked = try await client.call(AuthRequest.self, .init(app: app, member: member, scope: scope))
        guard let question = asked.question else { return asked.authorization }
        let reply = try await client.call(
            AuthAnswer.self,
            .init(request: question.request, allow: true, by: prover, passcode: passcode(of: prover))
        )
        if let refusal = reply.refusal { throw refusal }
        return reply.authorization
    }

    package func passcode(of member: String) -> String { "known to \(member) alone" }

    /// Who decides, with a passcode.
    private func prover(_ member: String?, _ scope: AuthorizationScope) async throws -> String {
        var name = member
        if scope == .child {
            name = "guardian"
            _ = try await client.call(MemberAdd.self, Member(name: "guardian", role: .guardian))
        }
        let shown = try await client.call(MemberShow.self, .init(member: name))
        if !shown.passcode.isSet {
            let request = MemberPasscode.Request(
                member: shown.member.name,
                passcode: passcode(of: shown.member.name)
            )
            let reply = try await client.call(MemberPasscode.self, request)
            if let refusal = reply.refusal { throw refusal }
        }
        return shown.member.name
    }
}
