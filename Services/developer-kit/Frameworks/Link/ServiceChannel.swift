import Glibc
import STBus
package import STContracts
import STFoundationTypes
package import STPlatform
import STZeroMQ

/// The channel of an app. Each connection to a service is opened when it is first needed.
package final class ServiceChannel: LinkChannel, @unchecked Sendable {
    // @unchecked: only the loop's thread accesses ports and subscriptions.
    private let loop: BusLoop
    private let directories: Directories
    private var ports: [ServiceName: ClientPort] = [:]
    private var subscriptions: [SubscriberPort] = []

    package init(_ directories: Directories) throws {
        self.directories = directories
        loop = try BusLoop(name: "link")
    }

    package func start(_ request: LinkRequest, _ completion: @escaping Completion) {
        let now = Stopwatch.bootMilliseconds()
        let header = RequestHeader(
            id: Identifier.make(wallMs: now),
            route: request.route,
            timeoutMs: request.timeout.ms,
            deadlineBootMs: now + request.timeout.ms,
            // Every write has an idempotency key, so that it can be repeated if no reply arrives.
            idempotencyKey: request.isWrite ? Identifier.make(wallMs: now) : nil,
            traceparent: TraceContext.fresh().traceparent
        )
        loop.thread.post {
            do {
                guard request.body.count <= BusLimits.requestBodyBytes else { throw LinkProblem.tooLarge }
                try self.port(to: request.service).start(
                    id: header.id,
                    route: header.route,
                    frames: [header.encoded(), request.body],
                    deadlineMs: now + request.timeout.ms
                ) { outcome in
                    switch outcome {
                    case .reply(let body, _): completion(.success(body))
                    case .failed(let problem): completion(.failure(problem))
                    }
                }
            } catch {
                completion(.failure(Problem(error)))
            }
        }
    }

    package func watch(
        _ service: ServiceName,
        topics: [String],
        _ heard: @escaping @Sendable () -> Void
    ) {
        loop.thread.post {
            do {
                let endpoint = try self.directories.endpoint(service: service.rawValue, .events)
                let watched = ChangeWatch()
                self.subscriptions.append(
                    try SubscriberPort(self.loop, endpoint: endpoint, topics: topics) { frames in
                        if watched.isNew(frames) { heard() }
                    }
                )
            } catch {
                FrameworkLog.host.error("changes at \(service) are not heard: \(Problem(error))")
            }
        }
    }

    package func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) {
        loop.thread.post { self.loop.thread.after(milliseconds: milliseconds, work) }
    }

    /// Closes all connections. Only tests use it, because an app keeps its link until it exits.
    package func close() {
        loop.thread.post {
            for port in self.ports.values { port.close() }
            for subscription in self.subscriptions { subscription.close() }
        }
        loop.stop()
    }

    private func port(to service: ServiceName) throws -> ClientPort {
        if let port = ports[service] { return port }
        let path = try directories.endpoint(service: service.rawValue, .rpc)
        // Without this check, a request to a service that was never started would wait until its deadline.
        guard access(path, F_OK) == 0 else { throw LinkProblem.notRunning(service) }
        let port = try ClientPort(loop, service: service, endpoint: path)
        ports[service] = port
        return port
    }
}

/// Distinguishes messages that may report a change from those that repeat the known state.
///
/// A publisher reports the end of its stream for every new subscription and periodically. A lost event is therefore detected
/// without polling.
private final class ChangeWatch {
    private var heads: [String: StreamPoint] = [:]

    func isNew(_ frames: [[UInt8]]) -> Bool {
        guard let topic = frames.first.map({ String(decoding: $0, as: UTF8.self) }) else { return false }
        guard topic.hasPrefix(Topic.headPrefix) else { return true }
        // The frames are the topic, the header and the body.
        guard frames.count > 2, let head = StreamPoint.read(frames[2]) else { return false }
        defer { heads[head.stream] = head }
        return heads[head.stream] != head
    }
}
