import Dispatch
import Foundation
import Glibc
package import STContracts
import STFoundationTypes
package import STPlatform
import Synchronization

/// The entry point of an extension.
///
/// The frameworks add a `run` for each kind, such as `ExtensionMain.run { MyMonitor() }`.
public enum ExtensionMain {
    /// The number of this attempt at the callback, from 1.
    ///
    /// More than 1 means that an earlier attempt was cut short after all or a part of its work. Requests to
    /// the frameworks are never done twice; this is for what an app does in its own files.
    public static var attempt: Int { CallUnderWay.shared.attempt }

    /// The id of the callback: the same in each attempt, and never reused; nil before the first callback.
    public static var deliveryID: String? { CallUnderWay.shared.id }

    /// Makes the callbacks of one kind of extension.
    package typealias Handler = (ExtensionCall) throws -> JSONValue?

    /// `sysexits.h` calls it a usage error.
    private static let usageStatus: Int32 = 64

    /// Serves the host until it has no more calls.
    ///
    /// `prepare` makes the extension's object on the main thread, before the first call.
    package static func serve(_ point: ExtensionPoint, _ prepare: () -> Handler) -> Never {
        // A host that is gone is noticed by its connection; writing to its pipes must not kill us first.
        signal(SIGPIPE, SIG_IGN)
        StandardOutput.writeByLines()
        guard let host = ClientLink.current.host else {
            let name = CommandLine.arguments.first ?? "this program"
            try? FileHandle.standardError.write(
                contentsOf: Data(
                    """
                    \(name) is an extension of an app, and Screen Time starts it when there is something to tell it.
                      try: screentime app install FOLDER, the one with its manifest.json

                    """.utf8
                )
            )
            exit(usageStatus)
        }
        let calls = CallQueue()
        let handler = prepare()
        TaskCounter.install()
        CallThread.start(calls, host, handler)
        host.serve(ExtensionHello(point: point, app: ClientLink.current.identity.app)) { call in
            calls.add(call)
        } ended: {
            // At once: unfinished work has had its time, and nothing here needs cleaning up.
            StandardOutput.flush()
            _exit(0)
        }
        while true { RunLoop.main.run() }
    }
}

/// The thread of callbacks, which run one at a time.
///
/// It is not the main thread, so that a callback may wait for work on the main queue.
private struct CallThread: @unchecked Sendable {
    // @unchecked: made by one thread, and from then on used by the one it starts.
    private let calls: CallQueue
    private let host: HostChannel
    private let handler: ExtensionMain.Handler

    static func start(_ calls: CallQueue, _ host: HostChannel, _ handler: @escaping ExtensionMain.Handler) {
        let work = CallThread(calls: calls, host: host, handler: handler)
        let thread = Thread { work.run() }
        thread.name = "callbacks"
        thread.start()
    }

    private func run() {
        while true {
            let call = calls.next()
            CallUnderWay.shared.begin(call)
            TaskCounter.isCounting = true
            var returned = ExtensionReturned(id: call.id)
            do {
                returned.result = try handler(call)
            } catch {
                returned.failure = (error as? Problem) ?? Problem("extension.failed", verbatim: "\(error)")
            }
            StandardOutput.flush()
            host.tell(.returned, returned)
            waitUntilDone()
            StandardOutput.flush()
            // Before the host learns of it, because the next call may come at once.
            TaskCounter.isCounting = false
            host.tell(.settled, ExtensionSettled(id: call.id))
        }
    }

    /// Waits until no task and no request is left, nor earlier work on the main queue.
    private func waitUntilDone() {
        repeat {
            OutstandingWork.shared.waitUntilNone()
            DispatchQueue.main.sync {}
        } while !OutstandingWork.shared.isNone
    }
}

/// Calls on their way from the link to the callback thread.
private final class CallQueue: @unchecked Sendable {
    // @unchecked: the list is read and written under the condition's lock.
    private let condition = NSCondition()
    private var calls: [ExtensionCall] = []

    func add(_ call: ExtensionCall) {
        condition.withLock {
            calls.append(call)
            condition.signal()
        }
    }

    func next() -> ExtensionCall {
        condition.withLock {
            while calls.isEmpty { condition.wait() }
            return calls.removeFirst()
        }
    }
}

/// The callback that is running.
private final class CallUnderWay: Sendable {
    static let shared = CallUnderWay()

    private struct State {
        var id: String?
        var attempt = 0
    }

    private let state = Mutex(State())

    var id: String? { state.withLock { $0.id } }
    var attempt: Int { state.withLock { $0.attempt } }

    func begin(_ call: ExtensionCall) {
        state.withLock { $0 = State(id: call.id, attempt: Int(clamping: call.attempt)) }
    }
}

extension ExtensionCall {
    /// The parameters of the callback.
    package func decoded<Body: WireBody>() throws -> Body { try Body.decodedBody(body.text) }

    /// The problem for a method of another kind of extension, or of a later version.
    package var unknownMethod: Problem {
        Problem(
            "extension.unknown_method",
            """
            This extension does not support “\(method.prefix(60), "method")”. Build it with a newer version \
            of the frameworks.
            """
        )
    }
}

extension JSONValue {
    /// The answer of a callback.
    package init(wire body: some WireBody) throws { self = try JSONValue(text: body.encodedBody()) }
}
