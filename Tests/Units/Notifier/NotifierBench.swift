import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit

@testable import STNotifierCore

/// The core of notifier with a household and a simulated desktop.
struct NotifierBench {
    static let owner = "bus/:1.7"

    let core: CoreBench<NotifierState>

    init(desktop: Bool = true, startMs: Int64 = 1_790_000_000_000, zone: String = "UTC") throws {
        core = try CoreBench(
            NotifierService.definition(desktop: desktop),
            time: SimulatedTimeSource(wallMs: startMs, zone: zone)
        )
        try core.follow(try Self.household)
    }

    private init(_ core: CoreBench<NotifierState>) { self.core = core }

    var time: SimulatedTimeSource { core.time }

    static var household: [WireEvent] {
        get throws {
            let members = [
                Member(name: "owner", role: .individual), Member(name: "kid", role: .child),
                Member(name: "teen", role: .child),
            ]
            return try members.enumerated().map { index, member in
                let subject = "member/\(member.name)"
                return try CoreBench<NotifierState>.event(
                    MemberAdded.self,
                    sequence: Int64(index + 1),
                    subject: subject,
                    body: member
                )
            }
        }
    }

    /// The service after a restart.
    func reopened() throws -> NotifierBench { NotifierBench(try core.reopened()) }

    // MARK: - Requests

    @discardableResult
    func post(
        _ id: String,
        title: String = "Title",
        body: String = "Body",
        app: String = "app",
        actions: [NotifyAction]? = nil,
        values: [String: String]? = nil,
        trigger: NotifyTrigger? = nil
    ) throws -> NotifyPost.Reply {
        try core.ask(
            NotifyPost.self,
            .init(
                app: app,
                id: id,
                title: title,
                body: body,
                values: values,
                actions: actions,
                trigger: trigger
            )
        )
    }

    func list(_ request: NotifyList.Request = .init()) throws -> [PostedNotification] {
        try core.ask(NotifyList.self, request).notifications
    }

    /// The notification with this id.
    func notice(_ id: String) throws -> PostedNotification? { try list().first { $0.id == id } }

    func state(_ id: String) throws -> NotifyState? { try notice(id)?.state }

    /// Types of the events with the ids of their notifications.
    var told: [String] {
        get throws {
            try core.events.map { event in
                let posted = try PostedNotification.decodedBody(event.body)
                return
                    "\(event.header.type.split(separator: ".").last ?? "") \(posted.id) \(posted.state?.rawValue ?? "")"
            }
        }
    }

    // MARK: - The desktop

    func desktop(_ state: NotifyDesktopState, note: String? = nil) throws {
        let desktop = NotifyDesktop(
            state: state,
            name: state == .ready ? "test 1" : nil,
            note: note.map { Message(verbatim: $0) }
        )
        try core.step {
            try NotifySteps.updateDesktop(
                desktop,
                owner: state == .ready ? Self.owner : nil,
                state: &$0,
                change: $2
            )
        }
    }

    func next(except: [Int64] = [], owner: String? = NotifierBench.owner) throws -> NotifySteps.Next {
        try core.step { try NotifySteps.next(except: Set(except), owner: owner, $1, $2.database) }
    }

    func begin(_ number: Int64, owner: String = NotifierBench.owner) throws -> NotifySteps.StartedDelivery? {
        try core.step { try NotifySteps.begin(number, owner: owner, state: &$0, change: $2) }
    }

    func finish(
        _ number: Int64,
        _ outcome: NotifySteps.SendResult.Outcome,
        screen: Int64? = nil,
        note: String? = nil,
        owner: String = NotifierBench.owner
    ) throws {
        let sent = NotifySteps.SendResult(
            number: number,
            owner: owner,
            outcome,
            screen: screen,
            note: note.map { Message(verbatim: $0) }
        )
        try core.step { try NotifySteps.finish(sent, state: &$0, change: $2) }
    }

    /// Shows the next waiting notification like the loop. Returns its number.
    @discardableResult
    func show(screen: Int64) throws -> Int64? {
        guard let number = try next().number else { return nil }
        _ = try begin(number)
        try finish(number, .shown, screen: screen)
        return number
    }

    func press(_ screen: Int64, _ action: String, owner: String = NotifierBench.owner) throws {
        let heard = NotifySteps.DesktopSignal(screen: screen, owner: owner, .pressed(action: action))
        _ = try core.step { try NotifySteps.handle(heard, state: &$0, change: $2) }
    }

    func close(_ screen: Int64, reason: Int64) throws {
        let heard = NotifySteps.DesktopSignal(screen: screen, owner: Self.owner, .closed(reason: reason))
        _ = try core.step { try NotifySteps.handle(heard, state: &$0, change: $2) }
    }

    // MARK: - Time

    func tick() throws { try core.step { try NotifySteps.tick(&$0, context: $1, change: $2) } }

    /// Lets time pass with a tick at each requested moment.
    func advance(byMs ms: Int64) throws {
        let endMs = time.now().bootMs + ms
        while true {
            let due = try next().due
            let now = time.now()
            let waits = [due.boot.map { $0.ms - now.bootMs }, due.wall.map { $0.ms - now.wallMs }].compactMap
            {
                $0
            }
            guard let wait = waits.min(), now.bootMs + max(0, wait) <= endMs else { break }
            time.advance(byMs: max(0, wait))
            try tick()
        }
        time.advance(byMs: max(0, endMs - time.now().bootMs))
    }
}
