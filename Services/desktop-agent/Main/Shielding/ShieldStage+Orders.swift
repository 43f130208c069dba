import STContracts
import STDesktop
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// What the director orders, carried out: each in a task of its own, but for the processes of one app.
extension ShieldStage {
    private static let lookTimeoutMs: Int64 = 10_000
    private static let noticeTimeoutMs: Int64 = 10_000

    func carryOut(_ order: ShieldOrder) {
        switch order {
        case .screen(let acts): parts.ground.perform(acts)
        case .shielded(let apps): parts.ground.shielded(apps)
        case .askLook(let app, let ticket, let counts, let wallMs):
            begin { await $0.askLook(app, ticket, counts: counts, wallMs) }
        case .press(let app, let shield, let button, let press):
            begin { await $0.press(app, shield, button, press) }
        case .requestTime(let app, let shield, let durationMs):
            begin { await $0.requestTime(app, shield, durationMs) }
        case .draw(let key, let request): begin { await $0.draw(key, request) }
        case .forget(let paths): begin { await $0.parts.easel?.discard(paths) }
        case .notify(let notice): begin { await $0.notify(notice) }
        case .askOffer: begin { await $0.askOffer() }
        case .verdict(let app, let pids):
            begin { $0.take(.verdict(app: app, await $0.parts.pausing.verdict(app: app, pids: pids))) }
        case .underway(let app, let pids):
            begin { $0.take(.underway(app: app, await $0.parts.pausing.underway(app: app, pids: pids))) }
        case .pause(let app, _), .thaw(let app), .end(let app, _):
            if holds.add(order, app) { begin { await $0.hold(app) } }
        }
    }

    func begin(_ work: @escaping @Sendable (isolated ShieldStage) async -> Void) {
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await work(self) }
    }

    // MARK: - Processes

    private func hold(_ app: String) async {
        while let order = holds.first(app) {
            switch order {
            case .pause(_, let pids):
                take(.paused(app: app, await parts.pausing.pause(app: app, pids: pids)))
            case .thaw:
                await parts.pausing.thaw(app: app)
                take(.thawed(app: app))
            case .end(_, let pids):
                take(.ended(app: app, processes: await parts.pausing.end(app: app, pids: pids)))
            default: break
            }
            holds.removeFirst(app)
        }
    }

    // MARK: - shield-service

    private func askLook(_ app: String, _ ticket: Int64, counts: Bool, _ wallMs: Int64) async {
        let subject = ShieldSubject(app: app)
        let language = settings.language
        do {
            guard counts else {
                let request = ShieldConfigurationAsk.Request(
                    member: member,
                    subject: subject,
                    language: language
                )
                let options = CallOptions(timeoutMs: Self.lookTimeoutMs)
                let reply = try await client.call(ShieldConfigurationAsk.self, request, options)
                let isShielded = reply.decision.isShielded
                return take(
                    .look(app: app, ticket: ticket, isShielded ? .look(reply.view, shield: nil) : .lifted)
                )
            }
            let request = ShieldShow.Request(
                member: member,
                subject: subject,
                language: language,
                agent: ServiceName.desktop.rawValue,
                wallMs: wallMs
            )
            // Asked again it is the same showing, so it counts once.
            let options = CallOptions(
                timeoutMs: Self.lookTimeoutMs,
                idempotencyKey: "shield-show/\(run)/\(ticket)"
            )
            let reply = try await client.call(ShieldShow.self, request, options)
            guard let view = reply.view, let shield = reply.shield else {
                return take(.look(app: app, ticket: ticket, .lifted))
            }
            take(.look(app: app, ticket: ticket, .look(view, shield: shield)))
        } catch {
            take(.look(app: app, ticket: ticket, .failed(Self.problem(error))))
        }
    }

    private func press(_ app: String, _ shield: String, _ button: ShieldButton, _ press: Int64) async {
        let request = ShieldPress.Request(
            shield: shield,
            button: button,
            press: press,
            language: settings.language
        )
        do {
            let options = CallOptions(timeoutMs: ShieldDirector.pressMs)
            let reply = try await client.call(ShieldPress.self, request, options)
            take(.answered(app: app, press: press, .success(reply)))
        } catch {
            take(.answered(app: app, press: press, .failure(Self.problem(error))))
        }
    }

    private func requestTime(_ app: String, _ shield: String?, _ durationMs: Int64) async {
        let request = RequestAdd.Request(
            member: member,
            items: [TokenItem(kind: .application, id: app)],
            durationMs: durationMs,
            shield: shield
        )
        do {
            take(.requested(app: app, .success(try await client.call(RequestAdd.self, request))))
        } catch {
            take(.requested(app: app, .failure(Self.problem(error))))
        }
        await askOffer()
    }

    /// Whether one's own rule would grant more time, or somebody else could.
    private func askOffer() async {
        guard !isAskingOffer, let member else { return }
        isAskingOffer = true
        defer { isAskingOffer = false }
        let others: MoreOffer? =
            policy.people.isChild(member) || policy.people.hasGuardian(besides: member) ? .guardian : nil
        do {
            let state = try await client.call(RequestRuleShow.self, .init(member: member))
            let isOwn = state.rule.aDay > state.grantedToday
            take(.offer(isOwn ? .own(mostMs: state.rule.mostMs, delayMs: state.rule.delayMs) : others))
        } catch {
            take(.offer(others))
        }
    }

    private func notify(_ notice: ShieldNotice) async {
        let request = NotifyPost.Request(
            app: BuiltInRules.app,
            member: member,
            id: notice.id,
            title: notice.title,
            body: notice.body
        )
        do {
            _ = try await client.call(NotifyPost.self, request, CallOptions(timeoutMs: Self.noticeTimeoutMs))
        } catch {
            surroundings.log.problem("not_told", Self.problem(error), ["id": .text(notice.id)])
        }
    }

    // MARK: - Pictures

    private func draw(_ key: PictureKey, _ request: DrawRequest) async {
        guard let easel = parts.easel else {
            let problem = Problem("draw.not_installed", "Nothing draws shields here.")
            return take(.drawn(key, .failure(problem)))
        }
        switch await easel.paint(request) {
        case .success(let drawn): take(.drawn(key, .success(ShieldPicture(path: drawn.path, drawn.answer))))
        case .failure(let problem): take(.drawn(key, .failure(problem)))
        }
    }

    private static func problem(_ error: any Error) -> Problem {
        (error as? Problem) ?? Problem("internal", "\(error)")
    }
}
