import STBus
import STContracts
import STEngine
import STPlatform
import STTestSupport

/// Transport of messages.
extension World {
    private static let owner = Principal(uid: 1000, pid: 1)

    // MARK: - Connections

    func planConnect(_ link: SimLink) {
        // Some services return much later than others, after many events.
        let isSlow = faults.isTroubled && random.chance(perMille: 250)
        plan(inMs: isSlow ? random.number(500...2_500) : random.number(5...120)) { [unowned self] in
            connect(link)
        }
    }

    func connect(_ link: SimLink) {
        guard !link.isConnected, let server = service(link.server), let engine = server.engine else { return }
        guard link.caller == SimClient.name || service(link.caller)?.isRunning == true else { return }
        guard nowMs >= link.cutUntilMs else {
            agenda.plan(atMs: link.cutUntilMs) { [unowned self] in connect(link) }
            return
        }
        note("\(link.caller) is connected to \(link.server)")
        link.isConnected = true
        perform(link.calls.socketDidBecomeWritable(now: now), on: link)
        if link.wasConnected { perform(link.calls.connectionDidReturn(now: now), on: link) }
        link.wasConnected = true
        guard link.caller != SimClient.name else { return }
        for stream in server.definition.streams {
            perform(engine.didSubscribe(Topic.head(stream), now: now), of: server)
        }
        perform(engine.didSubscribe(Topic.syncPrefix + link.caller.rawValue, now: now), of: server)
    }

    func disconnect(_ link: SimLink) {
        guard link.isConnected else { return }
        note("\(link.caller) loses \(link.server)")
        link.isConnected = false
        planConnect(link)
    }

    // MARK: - Requests

    func call(
        _ link: SimLink,
        id: String,
        route: String,
        body: [UInt8],
        key: String?,
        timeoutMs: Int64,
        _ answer: @escaping (CallTable.Outcome) -> Void
    ) {
        let isAbsolute = random.chance(perMille: 500)
        let header = RequestHeader(
            id: id,
            route: route,
            timeoutMs: timeoutMs,
            deadlineBootMs: isAbsolute ? nowMs + timeoutMs : nil,
            idempotencyKey: key
        )
        link.answers[id] = answer
        let frames = [header.encoded(), body]
        perform(
            link.calls.start(
                id: id,
                route: route,
                frames: frames,
                deadline: BootTime(ms: nowMs + timeoutMs),
                now: now
            ),
            on: link
        )
    }

    func perform(_ effects: [CallTable.Effect], on link: SimLink) {
        for effect in effects {
            switch effect {
            case .send(let id, let frames):
                guard link.isConnected else {
                    link.calls.markUnsent(id: id)
                    continue
                }
                transmit("\(link.caller) asks \(link.server) \(id)", link: link) { [unowned self] in
                    receive(frames, on: link)
                }
            case .finish(let id, let outcome): link.answers.removeValue(forKey: id)?(outcome)
            }
        }
    }

    private func receive(_ frames: [[UInt8]], on link: SimLink) {
        guard let server = service(link.server), let engine = server.engine else { return }
        let peer = Array(link.caller.rawValue.utf8)
        perform(engine.receive(frames, from: Self.owner, peer: peer), of: server)
    }

    func reply(_ peer: [UInt8], _ frames: [[UInt8]], from service: SimService) {
        let caller = ServiceName(String(decoding: peer, as: UTF8.self))
        guard let link = links.first(where: { $0.caller == caller && $0.server == service.name }),
            link.isConnected
        else { return }
        transmit("\(service.name) answers \(caller)", link: link) { [unowned self] in
            perform(link.calls.receive(frames, now: now), on: link)
        }
    }

    // MARK: - Events

    func publish(_ topic: String, header: [UInt8], body: [UInt8], from service: SimService) {
        let event = topic.hasPrefix("~") ? nil : WireEvent(frames: [Array(topic.utf8), header, body])
        if let event, let problem = publishedViolation(event, service) { violation = violation ?? problem }
        for link in links where link.server == service.name && link.isConnected {
            guard let follower = self.service(link.caller) else { continue }
            if topic.hasPrefix(Topic.syncPrefix), topic != Topic.syncPrefix + link.caller.rawValue {
                continue
            }
            if nowMs < link.slowUntilMs, random.chance(perMille: 700) {
                note("\(link.caller) is slow, \(label(topic, event)) is dropped")
                continue
            }
            let life = follower.life
            transmit("\(service.name) publishes to \(link.caller) \(label(topic, event))", link: link) {
                [unowned self] in
                if follower.life == life {
                    hear(topic, event: event, body: body, follower: follower, source: service.name)
                }
            }
        }
    }

    private func label(_ topic: String, _ event: WireEvent?) -> String {
        guard let event else { return topic }
        return "\(topic) \(event.header.sequence) of \(journal.alias(event.header.epoch))"
    }

    private func hear(
        _ topic: String,
        event: WireEvent?,
        body: [UInt8],
        follower: SimService,
        source: ServiceName
    ) {
        guard let engine = follower.engine else { return }
        for (index, followed) in follower.definition.subscriptions.enumerated()
        where followed.source == source {
            if let event {
                perform(engine.follow(index, .event(event), now: now), of: follower)
            } else if topic.hasPrefix(Topic.syncPrefix) {
                let heads = (try? MarkerAnswer.decodedBody(body))?.heads ?? []
                for head in heads where head.stream == followed.stream.rawValue {
                    perform(engine.follow(index, .head(head), now: now), of: follower)
                }
            } else if let head = StreamPoint.read(body) {
                perform(engine.follow(index, .head(head), now: now), of: follower)
            }
        }
    }

    // MARK: - Transport

    private func transmit(_ label: String, link: SimLink, deliver: @escaping () -> Void) {
        if nowMs < link.silentUntilMs || random.chance(perMille: faults.lostPerMille) {
            note("\(label): lost")
            return
        }
        let copies = random.chance(perMille: faults.doubledPerMille) ? 2 : 1
        for _ in 0..<copies {
            let late: Int64 = nowMs < link.slowUntilMs ? random.number(100...1_500) : 0
            let delayMs = faults.delayMs(&random) + late
            note("\(label): arrives in \(delayMs)")
            plan(inMs: delayMs, deliver)
        }
    }
}

/// One caller's connection to one service: a DEALER for requests, and a SUB when it follows a stream.
final class SimLink {
    let caller: ServiceName
    let server: ServiceName
    var calls: CallTable
    var answers: [String: (CallTable.Outcome) -> Void] = [:]
    var isConnected = false
    var wasConnected = false
    /// Connections fail until this time.
    var cutUntilMs: Int64 = 0
    /// Every message is lost until this time, and neither side notices.
    var silentUntilMs: Int64 = 0
    /// The subscriber is slow until this time: its messages wait, and the newest are dropped.
    var slowUntilMs: Int64 = 0

    init(_ caller: ServiceName, _ server: ServiceName) {
        self.caller = caller
        self.server = server
        calls = CallTable(peer: server)
    }

    /// The caller's process and its requests are gone.
    func forget() {
        calls = CallTable(peer: server)
        answers = [:]
        isConnected = false
        wasConnected = false
    }

    func heal() {
        cutUntilMs = 0
        silentUntilMs = 0
        slowUntilMs = 0
    }
}

/// The reply of a publisher to a marker subscription.
struct MarkerAnswer: WireBody, Codable {
    var heads: [StreamPoint]
}
