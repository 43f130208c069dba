import STContracts
import STPlatform

/// `screentime why window:ID`: which app a window was taken for, and whether that is shielded.
enum WhyWindow {
    static let prefix = "window:"
    private static let front = "front"
    private static let example = "screentime why window:front"

    /// All that is told of a window.
    struct Story: WireBody, Codable, Equatable {
        var window: WindowView
        /// How far shields go on this desktop.
        var escalation: Escalation?
        /// The one on the screen over this app.
        var shield: ScreenShield?
        /// Why the app is shielded or not; nil where it is none, or nobody could say.
        var why: WhyStory?
        /// Why `why` is missing.
        var unknown: String?
    }

    static func id(_ subject: String) throws(Problem) -> String {
        let id = String(subject.dropFirst(prefix.count))
        if id == front { return id }
        let number = id.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isID =
            number.count == 2 && !number[1].isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isID, ["x11", "wl"].contains(number[0]) else {
            throw Problem(
                "usage.bad_subject",
                "“\(subject)” is no window: they are called window:x11:0x1a00003 or window:wl:12, and window:front is the one "
                    + "in front.",
                help: example
            )
        }
        return id
    }

    static func refuse(_ invocation: Invocation) throws(Problem) {
        guard invocation.has("--at") else { return }
        throw Problem(
            "usage.bad_option",
            "A window is only known while it is there, so --at cannot be said of one; ask about its app instead.",
            help: "screentime why firefox --at '\(invocation.value("--at") ?? "17:00")'"
        )
    }

    /// `why` tells of an app, of somebody.
    static func story(
        _ id: String,
        member: String?,
        _ clients: ServiceClients,
        why: (_ app: String, _ member: String?) async throws -> WhyStory
    ) async throws -> Story {
        let status = try await status(clients)
        if status.isBlind == true { throw blind(status) }
        let reply = try await clients.call(DesktopWindows.self, .init(window: id))
        guard let window = reply.windows.first else {
            throw Problem("window.not_found", "There is no window \(id) on the screen.", help: example)
        }
        let shields = try? await clients.call(DesktopShields.self, Empty())
        var story = Story(window: window, escalation: shields?.escalation)
        guard let app = window.app else { return story }
        story.shield = shields?.shields.first { $0.app == app }
        do {
            story.why = try await why(app, member ?? status.member)
        } catch {
            story.unknown = ProblemText.problem(error).message
        }
        return story
    }

    private static func status(_ clients: ServiceClients) async throws -> DesktopStatus.Reply {
        do {
            return try await clients.call(DesktopStatus.self, Empty())
        } catch let problem as Problem where problem.code == "service.not_running" {
            throw Problem(
                problem.code,
                "Nobody looks at the screen: desktop-agent is not running.",
                retryable: true,
                help: "screentime system up"
            )
        }
    }

    private static func blind(_ status: DesktopStatus.Reply) -> Problem {
        let reason = [status.reason, status.wayOut].compactMap(\.self).joined(separator: " ")
        return Problem(
            "desktop.blind",
            "No window can be seen on this desktop. \(DisplayWidth.harmless(reason))",
            help: "screentime doctor"
        )
    }
}
