package import STContracts
import STFoundationTypes
import STPlatform
import STZeroMQ

/// The channel of an extension. All messages pass through the host, which adds the identity.
package final class HostChannel: LinkChannel, @unchecked Sendable {
    // @unchecked: only the loop's thread accesses mutable state.
    private struct Pending {
        var completion: Completion
        var timer: UInt64
    }

    /// The time limit from the start of the process to the first message from the host.
    private static let connectTimeout = Duration.seconds(10)

    private let loop: BusLoop
    private var connection: HostConnection?
    private var pending: [String: Pending] = [:]
    private var watchers: [@Sendable () -> Void] = []
    private var hasHeard = false
    private var called: (@Sendable (ExtensionCall) -> Void)?
    private var ended: (@Sendable () -> Void)?

    /// Connects to the host. `endpoint` includes the `ipc://` prefix.
    package init(endpoint: String) throws {
        loop = try BusLoop(name: "host")
        loop.thread.post {
            do {
                self.connection = try HostConnection(
                    self.loop,
                    endpoint: endpoint,
                    frameLimit: ExtensionProtocol.frames
                ) {
                    self.received($0)
                } lost: {
                    self.ended?()
                }
            } catch {
                FrameworkLog.host.error("the host cannot be reached: \(Problem(error))")
            }
        }
    }

    /// Sends the hello message and then accepts calls. `ended` is called when there are no more calls, or if the host has exited.
    package func serve(
        _ hello: ExtensionHello,
        called: @escaping @Sendable (ExtensionCall) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        loop.thread.post {
            self.called = called
            self.ended = ended
            guard self.connection != nil else { return ended() }
            self.send(.hello, hello)
            self.loop.thread.after(milliseconds: Self.connectTimeout.ms) {
                // A running host makes a call within that time, because it started this process for a call. A host that runs
                // under a debugger may not. Its connection shows that it is alive, and the loss of that connection ends this
                // process.
                if !self.hasHeard && !self.isConnected { ended() }
            }
        }
    }

    /// Sends a report about the running call to the host.
    package func tell<Body: WireBody>(_ kind: ExtensionProtocol.Kind, _ body: Body) {
        loop.thread.post { self.send(kind, body) }
    }

    package func start(_ request: LinkRequest, _ completion: @escaping Completion) {
        let id = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        let header = RequestHeader(id: id, route: request.route, timeoutMs: request.timeout.ms)
        loop.thread.post {
            guard request.body.count <= BusLimits.requestBodyBytes else {
                return completion(.failure(LinkProblem.tooLarge))
            }
            let frames = [ExtensionProtocol.Kind.request.frame, header.encoded(), request.body]
            guard let connection = self.connection, connection.send(frames) else {
                return completion(.failure(LinkProblem.noHost))
            }
            let timer = self.loop.thread.after(milliseconds: request.timeout.ms) {
                self.finish(id, .failure(LinkProblem.late(request.route)))
            }
            self.pending[id] = Pending(completion: completion, timer: timer)
        }
    }

    /// Calls the closure before each call. An extension receives no events between its calls, so anything may have changed before
    /// a call.
    package func watch(
        _ service: ServiceName,
        topics: [String],
        _ heard: @escaping @Sendable () -> Void
    ) {
        loop.thread.post { self.watchers.append(heard) }
    }

    package func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void) {
        loop.thread.post { self.loop.thread.after(milliseconds: milliseconds, work) }
    }

    // MARK: - On the loop's thread

    private var isConnected: Bool { connection?.isConnected ?? false }

    private func send<Body: WireBody>(_ kind: ExtensionProtocol.Kind, _ body: Body) {
        guard let bytes = try? body.encodedBody() else { return }
        _ = connection?.send([kind.frame, bytes])
    }

    private func received(_ frames: [[UInt8]]) {
        guard let first = frames.first, let kind = ExtensionProtocol.Kind(frame: first) else { return }
        hasHeard = true
        switch kind {
        case .call:
            guard frames.count > 1, let call = try? ExtensionCall.decodedBody(frames[1]) else {
                return FrameworkLog.host.error("the host sent a call that cannot be read")
            }
            for watcher in watchers { watcher() }
            called?(call)
        case .reply: replied(frames)
        case .end: ended?()
        case .hello, .request, .returned, .settled: break
        }
    }

    private func replied(_ frames: [[UInt8]]) {
        guard frames.count == ExtensionProtocol.frames, let header = ReplyHeader.read(frames[1]),
            let id = header.id
        else { return }
        if header.ok {
            finish(id, .success(frames[2]))
        } else {
            finish(id, .failure((try? Problem.decodedBody(frames[2])) ?? LinkProblem.unreadable))
        }
    }

    private func finish(_ id: String, _ result: Result<[UInt8], Problem>) {
        guard let call = pending.removeValue(forKey: id) else { return }
        loop.thread.cancelTimer(call.timer)
        call.completion(result)
    }
}
