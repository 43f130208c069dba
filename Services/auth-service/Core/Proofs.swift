import STContracts
import STEngine
import STPlatform

/// Whether somebody may decide for a member, for services that leave the passcodes here.
enum Proofs {
    private static let purposeBytesMax = 200

    static func prove(
        _ request: AuthProve.Request,
        _ passcodes: Passcodes,
        _ state: inout AuthState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> AuthProve.Reply {
        let member = try Household.member(request.member, state)
        guard !request.purpose.isEmpty, request.purpose.utf8.count <= purposeBytesMax,
            TextLimit.isPlain(request.purpose)
        else {
            throw Problem(
                "auth.bad_purpose",
                "What a proof is for has 1 to \(purposeBytesMax) bytes and no control characters.",
                field: "/purpose"
            )
        }
        guard let prover = try prover(for: member, request, state) else {
            return AuthProve.Reply(by: member.name)
        }
        let refusal = try passcodes.prove(
            prover,
            request.passcode,
            purpose: request.purpose,
            &state,
            context,
            change
        )
        return AuthProve.Reply(by: refusal == nil ? prover : nil, refusal: refusal)
    }

    /// Whose passcode it takes; nil for somebody without one who decides about themself.
    private static func prover(for member: Member, _ request: AuthProve.Request, _ state: AuthState) throws
        -> String?
    {
        if member.role == .child {
            return try Passcodes.prover(
                of: Passcodes.guardians(state),
                by: request.by,
                what: "Something for \(member.name)"
            )
        }
        guard let by = request.by, by != member.name else {
            return state.passcodes[member.name] == nil ? nil : member.name
        }
        return try Passcodes.prover(
            of: Passcodes.guardians(state).filter { $0 != member.name },
            by: by,
            what: "What somebody else decides for \(member.name)"
        )
    }
}
