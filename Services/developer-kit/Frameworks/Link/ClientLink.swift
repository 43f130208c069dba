import Dispatch
import Foundation
package import STContracts
package import STFoundationTypes
package import STPlatform
import Synchronization

/// The connection of a program to the services. An extension connects through its host, and an app connects directly.
package final class ClientLink: Sendable {
    package static let current = ClientLink(
        environment: ProcessEnvironment.current(),
        identity: .current
    )

    package let identity: AppIdentity
    /// The channel of an extension. `nil` in an app.
    package let host: HostChannel?
    private let channel: Result<any LinkChannel, Problem>

    package init(environment: [String: String], identity: AppIdentity) {
        self.identity = identity
        let made = Result { try Self.channel(environment) }.mapError(Problem.init)
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

    /// Sends a request and blocks the calling thread until the reply arrives, as Apple's synchronous calls do. Any thread can
    /// call it, because receiving the reply needs neither the main thread nor a thread of the task pool.
    package func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        timeout: Duration = .milliseconds(BusLimits.timeoutMsDefault)
    ) throws(Problem) -> R.Reply {
        let answer = Mutex<Result<[UInt8], Problem>?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        start(route, to: service, request: request, timeout: timeout) { result in
            answer.withLock { $0 = result }
            arrived.signal()
        }
        // No time limit is needed, because the channel enforces the deadline.
        arrived.wait()
        return try Self.reply(route, answer.withLock { $0 } ?? .failure(LinkProblem.unreadable))
    }

    /// Sends a request without blocking a thread.
    package func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        timeout: Duration = .milliseconds(BusLimits.timeoutMsDefault)
    ) async throws(Problem) -> R.Reply {
        let result = await withCheckedContinuation { continuation in
            start(route, to: service, request: request, timeout: timeout) {
                continuation.resume(returning: $0)
            }
        }
        return try Self.reply(route, result)
    }

    /// Calls the closure when one of the topics may have a new event.
    package func watch(
        _ service: ServiceName,
        topics: [String],
        _ heard: @escaping @Sendable () -> Void
    ) {
        if case .success(let channel) = channel { channel.watch(service, topics: topics, heard) }
    }

    /// Suspends the task for a real time without blocking a thread.
    package func pause(milliseconds: Int64) async {
        guard case .success(let channel) = channel else { return }
        await withCheckedContinuation { continuation in
            channel.after(milliseconds: milliseconds) { continuation.resume() }
        }
    }

    private func start<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        request: R.Request,
        timeout: Duration,
        completion: @escaping LinkChannel.Completion
    ) {
        do {
            let request = try LinkRequest(route, to: service, request, timeout: timeout)
            OutstandingWork.shared.begin()
            try channel.get().start(request) { result in
                completion(result)
                OutstandingWork.shared.end()
            }
        } catch {
            completion(.failure(Problem(error)))
        }
    }

    private static func reply<R: Route>(
        _ route: R.Type,
        _ result: Result<[UInt8], Problem>
    ) throws(Problem) -> R.Reply {
        let body = try result.get()
        do { return try R.Reply.decodedBody(body) } catch { throw Problem(error) }
    }
}

/// A channel to the services.
package protocol LinkChannel: Sendable {
    typealias Completion = @Sendable (Result<[UInt8], Problem>) -> Void

    /// Sends a request. Calls the closure exactly once on the channel's own thread, no later than the deadline.
    func start(_ request: LinkRequest, _ completion: @escaping Completion)

    /// Calls the closure when one of a service's topics may have a new event, on the channel's own thread.
    func watch(_ service: ServiceName, topics: [String], _ heard: @escaping @Sendable () -> Void)

    /// Calls the closure after a real time, on the channel's own thread.
    func after(milliseconds: Int64, _ work: @escaping @Sendable () -> Void)
}

/// An encoded request.
package struct LinkRequest: Sendable {
    package var route: String
    package var service: ServiceName
    package var isWrite: Bool
    package var body: [UInt8]
    package var timeout: Duration

    package init<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        timeout: Duration
    ) throws {
        self.route = R.name
        self.service = service
        isWrite = R.kind == .write
        body = try request.encodedBody()
        self.timeout = min(max(.milliseconds(1), timeout), .milliseconds(BusLimits.timeoutMsMax))
    }
}

/// The problems of the connection between a program and the services.
enum LinkProblem {
    static let tooLarge = Problem(
        "frame.too_large",
        """
        The request is larger than \(BusLimits.requestBodyBytes, "requestBodyBytes") bytes. Select fewer \
        apps, sites or categories at a time.
        """
    )

    static let noHost = Problem("extension.no_host", "The program that runs this extension has exited.")

    static let unreadable = Problem("reply.invalid", "The reply could not be read.")

    static func late(_ route: String) -> Problem {
        Problem(
            "deadline.exceeded",
            "The request \(route, "route") received no reply in time.",
            retryable: true
        )
    }

    static func notRunning(_ service: ServiceName) -> Problem {
        Problem(
            "service.not_running",
            "\(service, "service") is not running.",
            retryable: true,
            help: "screentime system up"
        )
    }
}

/// Runs a closure on the main thread and waits for it. If the main thread is busy for 250 ms, the calling thread runs the
/// closure.
///
/// A program without a user interface may block its main thread while it waits for the change that the closure announces.
package enum MainDelivery {
    private static let patienceMs = 250

    package static func wait(_ work: @escaping @Sendable () -> Void) {
        if Thread.isMainThread { return work() }
        let once = Once(work)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            once.run()
            done.signal()
        }
        if done.wait(timeout: .now() + .milliseconds(patienceMs)) == .timedOut { once.run() }
    }

    private final class Once: Sendable {
        private let isDone = Atomic(false)
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        func run() {
            if !isDone.exchange(true, ordering: .acquiringAndReleasing) { work() }
        }
    }
}
