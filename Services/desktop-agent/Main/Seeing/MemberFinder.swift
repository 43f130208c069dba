import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Whose time this screen counts for: the member that the settings name, else the owner of this account.
///
/// auth-service is asked until it knows that member, because activity-center takes observations of members alone.
struct MemberFinder: Sendable {
    private static let retry = Backoff(firstMs: 200, limitMs: 30_000)

    let surroundings: Surroundings
    let client: BusClient

    /// Returns nil only when the task was cancelled.
    func find() async -> String? {
        let set = surroundings.configuration.value(.desktopMember)
        let wanted = set.isEmpty ? AccountName.current() : set
        var attempt = 0
        var (hasTold, hasFailed) = (false, false)
        while !Task.isCancelled {
            do {
                let known = try await client.call(MemberList.self, Empty()).members
                if known.contains(where: { $0.name == wanted }) { return wanted }
                if !hasTold { surroundings.log.problem("member_unknown", Self.unknown(wanted)) }
                hasTold = true
            } catch {
                let problem = Problem(error)
                if !problem.retryable, !hasFailed, !Task.isCancelled {
                    hasFailed = true
                    surroundings.log.problem("members_not_read", problem)
                }
            }
            attempt += 1
            await surroundings.loop.thread.pause(ms: Self.retry.delayMs(attempt: attempt))
        }
        return nil
    }

    private static func unknown(_ name: String) -> Problem {
        Problem(
            "member.unknown",
            "The household has no member called \(name), so time at this screen is not counted yet. "
                + "Add this member, or name another one with member = … under [desktop-agent] in "
                + "~/.config/screentime/config.",
            retryable: true,
            help: "screentime member add \(name)"
        )
    }
}
