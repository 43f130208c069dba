import STContracts
import STCrypto
import STEngine
import STLinkCore
import STPlatform
import STServiceKit

/// Sends requests to a household that may not have approved this machine or received its key.
struct JoinClient {
    private static let leaveTimeout = Duration.seconds(2)

    let host: ServiceHost<LinkServiceState>
    let surroundings: ServiceEnvironment

    func requestJoin(_ ask: JoinQuery.Request) async -> JoinQuery.Reply {
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
            let joining = request(
                own,
                accounts: ask.accounts,
                guardians: ask.guardians,
                identity: ask.identity
            )
            let reply = try await client.call(HouseholdJoin.self, joining, timeout: .seconds(4))
            return JoinQuery.Reply(
                members: reply.members,
                secret: TextFormat.hex(own.secret),
                number: reply.number
            )
        } catch {
            return JoinQuery.Reply(members: [], secret: "", problem: Problem(error))
        }
    }

    private func request(
        _ own: KeyPair,
        accounts: [HouseholdAccount],
        guardians: [String],
        identity: String?
    ) -> HouseholdJoin.Request {
        HouseholdJoin.Request(
            name: TextFormat.truncated(HostName.current(), bytes: HouseholdJoin.nameBytesMax),
            key: TextFormat.hex(own.publicKey),
            accounts: accounts,
            guardians: guardians.isEmpty ? nil : guardians,
            identity: identity,
            isProtected: surroundings.directories == .protected ? true : nil
        )
    }

    func request(_ own: KeyPair, _ membership: LinkServiceState.Membership) -> HouseholdJoin.Request {
        request(
            own,
            accounts: membership.accounts,
            guardians: membership.guardians,
            identity: membership.identity
        )
    }

    /// If this fails, the household lists this machine with the time of its last message until a guardian removes it.
    func reportLeaving(to client: HouseholdClient) async {
        do {
            _ = try await client.call(HouseholdLeave.self, Empty(), timeout: Self.leaveTimeout)
        } catch {
            surroundings.log.problem("leaving_not_reported", Problem(error))
        }
    }

    /// True if the household recognises this machine by the key.
    func isKnown(_ membership: LinkServiceState.Membership, by own: KeyPair, _ turns: Int) async throws
        -> Bool
    {
        let client = try HouseholdClient(surroundings.loop, membership.endpoint(after: turns), own: own)
        defer { client.close() }
        do {
            let question = LedgerProgress.cursorRequest(at: surroundings.time.now().wall)
            _ = try await client.call(HouseholdPush.self, question)
            return true
        } catch let problem as Problem where problem.code == HouseholdProblem.refused.code {
            return false
        }
    }
}
