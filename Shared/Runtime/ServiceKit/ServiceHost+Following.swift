import STBus
import STContracts
import STEngine
import STPlatform
import STZeroMQ

/// Hearing and asking the services whose streams this one follows.
extension ServiceHost {
    func follow() throws {
        for (index, subscription) in definition.subscriptions.enumerated() {
            let service = subscription.source.rawValue
            let stream = subscription.stream
            let marker = Topic.syncPrefix + TraceIdentifiers.span()
            subscribers.append(
                try SubscriberPort(
                    surroundings.loop,
                    endpoint: try surroundings.directories.endpoint(service: service, .events),
                    topics: [Topic.subscription(stream), Topic.head(stream), marker]
                ) { [unowned self, topics = StreamTopics(stream, marker: marker)] frames in
                    assumeIsolated { $0.heard(index, frames, topics) }
                }
            )
            _ = try client(of: subscription.source)
        }
    }

    func heard(_ index: Int, _ frames: [[UInt8]], _ topics: StreamTopics) {
        guard frames.count == 3 else { return }
        let stream = definition.subscriptions[index].stream
        if frames[0] == topics.marker {
            guard let heads = try? HeadList.decodedBody(frames[2]),
                let head = heads.heads.first(where: { $0.stream == stream.rawValue })
            else { return }
            input(index, .head(head))
        } else if frames[0] == topics.head {
            guard let head = StreamPoint.read(frames[2]) else { return }
            input(index, .head(head))
        } else if let event = WireEvent(frames: frames, like: lastHeaders[index]),
            event.header.stream == stream
        {
            lastHeaders[index] = event.header
            input(index, .event(event))
        }
    }

    func input(_ index: Int, _ input: FollowerMachine.Input) {
        perform(engine?.follow(index, input, nowMs: Stopwatch.bootMilliseconds()) ?? [])
    }

    func fetch(_ index: Int, _ after: StreamPoint?) {
        let request = EventsSince.Request(
            stream: definition.subscriptions[index].stream.rawValue,
            epoch: after?.epoch,
            sequence: after?.sequence,
            id: after?.id
        )
        ask(index, EventsSince.name, try? request.encodedBody())
    }

    func ask(_ index: Int, _ route: String, _ body: [UInt8]?) {
        let service = definition.subscriptions[index].source
        guard let port = clients[service], let body else { return }
        let id = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        let deadline = Stopwatch.bootMilliseconds() + BusLimits.timeoutMsDefault
        let header = RequestHeader(id: id, route: route, deadlineBootMs: deadline)
        port.start(id: id, route: route, frames: [header.encoded(), body], deadlineMs: deadline) {
            [unowned self] outcome in
            assumeIsolated { $0.answered(index, outcome) }
        }
    }

    func answered(_ index: Int, _ outcome: CallTable.Outcome) {
        switch outcome {
        case .failed(let problem): input(index, .pageFailed(problem))
        case .reply(let body, _):
            do {
                input(index, .page(try EventPage.decodedBody(body)))
            } catch {
                input(index, .pageFailed((error as? Problem) ?? Problem("body.invalid", "\(error)")))
            }
        }
    }
}
