import STContracts
import STCrypto
import STEngine
import STLinkCore
import STPlatform
import STServiceKit

/// Sends requests to a household that may not have approved this machine or received its key.
struct Joining {
    private static let leaveMs: Int64 = 2_000

    let host: ServiceHost<LinkServiceState>
    let surroundings: Surroundings

    func knock(_ ask: KnockAsk.Request) async -> KnockAsk.Reply {
        do {
            let code = try InvitationCode(ask.code)
            let known = try await host.state.secret
            let own = try known.map { try KeyPair(secret: $0) } ?? KeyPair.make()
            let client = try HouseholdClient(
                surroundings.loop,
                (code.address, code.server),
                own: try KeyPair(secret: code.secret)
            )
            defer { client.close() }
            let joining = request(own, ask.accounts, ask.guardians, ask.identity)
            let reply = try await client.call(HouseholdJoin.self, joining, timeoutMs: 4_000)
            return KnockAsk.Reply(
                members: reply.members,
                secret: TextFormat.hex(own.secret),
                number: reply.number
            )
        } catch {
            return KnockAsk.Reply(members: [], secret: "", problem: Problem(error))
        }
    }

    private func request(
        _ own: KeyPair,
        _ accounts: [HouseholdAccount],
        _ guardians: [String],
        _ identity: String?
    ) -> HouseholdJoin.Request {
        HouseholdJoin.Request(
            name: TextFormat.fitting(HostName.current(), bytes: HouseholdJoin.nameBytesMax),
            key: TextFormat.hex(own.publicKey),
            accounts: accounts,
            guardians: guardians.isEmpty ? nil : guardians,
            identity: identity,
            isProtected: surroundings.directories == .protected ? true : nil
        )
    }

    func request(_ own: KeyPair, _ membership: LinkServiceState.Membership) -> HouseholdJoin.Request {
        request(own, membership.accounts, membership.guardians, membership.identity)
    }

    /// If this fails, the household lists this machine with the time of its last message until a guardian removes it.
    func reportLeaving(to client: HouseholdClient) async {
        do {
            _ = try await client.call(HouseholdLeave.self, Empty(), timeoutMs: Self.leaveMs)
        } catch {
            surroundings.log.problem("leaving_not_reported", Problem(error))
        }
    }

    /// True if the household recognises this machine by the key.
    func isKnown(_ membership: LinkServiceState.Membership, by own: KeyPair, _ turns: Int) async throws
        -> Bool
    {
        let client = try HouseholdClient(surroundings.loop, membership.way(after: turns), own: own)
        defer { client.close() }
        do {
            let question = LedgerProgress.question(wallMs: surroundings.time.now().wallMs)
            _ = try await client.call(HouseholdPush.self, question)
            return true
        } catch let problem as Problem where problem.code == HouseholdProblem.refused.code {
            return false
        }
    }
}
