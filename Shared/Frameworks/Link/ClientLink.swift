import Dispatch
package import STContracts
package import STFoundationTypes
package import STPlatform
import Synchronization

/// The way from an app or an extension to the services.
///
/// A program has one. An extension's goes over its host; an app's goes to the services themselves.
package final class ClientLink: Sendable {
    package static let current = ClientLink(
        environment: ProcessEnvironment.current(),
        identity: .current
    )

    package let identity: AppIdentity
    /// Nil in an app.
    package let host: HostChannel?
    private let channel: Result<any LinkChannel, Problem>

    package init(environment: [String: String], identity: AppIdentity) {
        self.identity = identity
        let made = Result { try Self.channel(environment) }.mapError(LinkProblem.of)
        host = (try? made.get()) as? HostChannel
        channel = made
    }

    private static func channel(_ environment: [String: String]) throws -> any LinkChannel {
        if let endpoint = environment[ExtensionEnvironment.host], !endpoint.isEmpty {
            return try HostChannel(endpoint: endpoint)
        }
        return try ServiceChannel(try Directories.from(environment: environment))
    }

    package init(identity: AppIdentity, channel: any LinkChannel) {
        self.identity = identity
        host = channel as? HostChannel
        self.channel = .success(channel)
    }

    package var isExtension: Bool { host != nil }

    /// Asks and waits.
    ///
    /// On any thread, as Apple's synchronous calls are: nothing of it needs the main thread, or one of those that tasks
    /// run on.
    package func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        timeoutMs: Int64 = BusLimits.timeoutMsDefault
    ) throws(Problem) -> R.Reply {
        let answer = Mutex<Result<[UInt8], Problem>?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        start(route, to: service, request, timeoutMs) { result in
            answer.withLock { $0 = result }
            arrived.signal()
        }
        // Without a limit of its own: the channel keeps the deadline.
        arrived.wait()
        return try Self.reply(route, answer.withLock { $0 } ?? .failure(LinkProblem.unreadable))
    }

    /// Asks and waits without a thread.
    package func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        timeoutMs: Int64 = BusLimits.timeoutMsDefault
    ) async throws(Problem) -> R.Reply {
        let result = await withCheckedContinuation { continuation in
            start(route, to: service, request, timeoutMs) { continuation.resume(returning: $0) }
        }
        return try Self.reply(route, result)
    }

    /// Calls the closure whenever one of the topics may have something new.
    package func watch(
        _ service: ServiceName,
        topics: [String],
        _ heard: @escaping @Sendable () -> Void
    ) {
        if case .success(let channel) = channel { channel.watch(service, topics: topics, heard) }
    }

    /// Waits some real time without a thread.
    package func pause(milliseconds: Int64) async {
        guard case .success(let channel) = channel else { return }
        await withCheckedContinuation { continuation in
            channel.after(milliseconds: milliseconds) { continuation.resume() }
        }
    }

    private func start<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        _ timeoutMs: Int64,
        _ completion: @escaping LinkChannel.Completion
    ) {
        do {
            let request = try LinkRequest(route, to: service, request, timeoutMs: timeoutMs)
            OutstandingWork.shared.begin()
            try channel.get().start(request) { result in
                completion(result)
                OutstandingWork.shared.end()
            }
        } catch {
            completion(.failure(LinkProblem.of(error)))
        }
    }

    private static func reply<R: Route>(
        _ route: R.Type,
        _ result: Result<[UInt8], Problem>
    ) throws(Problem) -> R.Reply {
        let body = try result.get()
        do { return try R.Reply.decodedBody(body) } catch { throw LinkProblem.of(error) }
    }
}
