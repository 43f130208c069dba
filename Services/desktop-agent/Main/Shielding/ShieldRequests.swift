import STContracts
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// The requests of shields to other services. Each result is an input of `ShieldStateMachine`.
struct ShieldRequests: Sendable {
    private static let appearanceTimeout: Duration = .seconds(10)
    private static let noticeTimeout: Duration = .seconds(10)

    let client: BusClient
    let language: String
    /// Distinguishes the showings of this process from those of another.
    let run: String

    /// Requests a look. `wall` is the time since which a person sees the shield, or nil to request only the look.
    func fetchAppearance(_ app: String, _ ticket: Int64, member: String?, since wall: WallTime?) async
        -> ShieldInput
    {
        do {
            let outcome =
                if let wall {
                    try await show(app, ticket: ticket, member: member, wall: wall)
                } else {
                    try await fetchAppearanceOnly(app, member)
                }
            return .look(app: app, ticket: ticket, outcome)
        } catch {
            return .look(app: app, ticket: ticket, .failed(Problem(error)))
        }
    }

    private func fetchAppearanceOnly(_ app: String, _ member: String?) async throws -> AppearanceOutcome {
        let request = ShieldConfigurationAsk.Request(
            member: member,
            subject: ShieldSubject(app: app),
            language: language
        )
        let options = CallOptions(timeoutMs: Self.appearanceTimeout.ms)
        let reply = try await client.call(ShieldConfigurationAsk.self, request, options: options)
        return reply.decision.isShielded ? .look(reply.view, shield: nil) : .lifted
    }

    private func show(_ app: String, ticket: Int64, member: String?, wall: WallTime) async throws
        -> AppearanceOutcome
    {
        let request = ShieldShow.Request(
            member: member,
            subject: ShieldSubject(app: app),
            language: language,
            agent: ServiceName.desktop.rawValue,
            wallMs: wall.ms
        )
        // A repeated request belongs to the same showing, so it counts once.
        let options = CallOptions(
            timeoutMs: Self.appearanceTimeout.ms,
            idempotencyKey: "shield-show/\(run)/\(ticket)"
        )
        let reply = try await client.call(ShieldShow.self, request, options: options)
        guard let view = reply.view, let shield = reply.shield else { return .lifted }
        return .look(view, shield: shield)
    }

    func press(_ app: String, shield: String, button: ShieldButton, press: Int64) async -> ShieldInput {
        let request = ShieldPress.Request(shield: shield, button: button, press: press, language: language)
        do {
            let options = CallOptions(timeoutMs: ShieldStateMachine.pressTimeout.ms)
            let reply = try await client.call(ShieldPress.self, request, options: options)
            return .answered(app: app, press: press, .success(reply))
        } catch {
            return .answered(app: app, press: press, .failure(Problem(error)))
        }
    }

    func requestTime(_ app: String, member: String?, shield: String?, duration: Duration) async
        -> ShieldInput
    {
        let request = RequestAdd.Request(
            member: member,
            items: [TokenItem(kind: .application, id: app)],
            durationMs: duration.ms,
            shield: shield
        )
        do {
            return .requested(app: app, .success(try await client.call(RequestAdd.self, request)))
        } catch {
            return .requested(app: app, .failure(Problem(error)))
        }
    }

    /// Determines the way to ask for more time: the person's own rule if it would grant some, otherwise `others`.
    func offer(_ member: String, others: MoreTimeOffer?) async -> ShieldInput {
        guard let state = try? await client.call(RequestRuleShow.self, .init(member: member)),
            state.rule.aDay > state.grantedToday
        else { return .offer(others) }
        return .offer(
            .own(most: .milliseconds(state.rule.mostMs), delay: .milliseconds(state.rule.delayMs))
        )
    }

    func notify(_ notice: ShieldNotice, member: String?) async throws {
        let request = NotifyPost.Request(
            app: BuiltInRules.app,
            member: member,
            id: notice.id,
            title: notice.title,
            body: notice.body
        )
        _ = try await client.call(
            NotifyPost.self,
            request,
            options: CallOptions(timeoutMs: Self.noticeTimeout.ms)
        )
    }
}
