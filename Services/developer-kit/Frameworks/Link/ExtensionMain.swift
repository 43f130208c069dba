import Dispatch
import Foundation
import Glibc
package import STContracts
import STFoundationTypes
package import STPlatform
import Synchronization

/// The entry point of an extension.
///
/// The frameworks add a `run` method for each kind of extension. Example: `ExtensionMain.run { MyMonitor() }`.
public enum ExtensionMain {
    /// The number of the current attempt at the callback, starting at 1.
    ///
    /// A number greater than 1 means that an earlier attempt was interrupted after some or all of its work. Requests to the
    /// frameworks take effect only once. Use this number to avoid repeated changes in the app's own files.
    public static var attempt: Int { CallUnderWay.shared.attempt }

    /// The id of the callback. All attempts have the same id, and ids are never reused. `nil` before the first callback.
    public static var deliveryID: String? { CallUnderWay.shared.id }

    /// Runs the callbacks of one kind of extension.
    package typealias Handler = (ExtensionCall) throws -> JSONValue?

    /// The exit status for a usage error in `sysexits.h`.
    private static let usageStatus: Int32 = 64

    /// Serves the host until there are no more calls, then ends the process.
    ///
    /// `prepare` creates the extension's object on the main thread, before the first call.
    package static func serve(_ point: ExtensionPoint, _ prepare: () -> Handler) -> Never {
        // The loss of the connection reports that the host has exited. A write to its closed pipes must not terminate this
        // process.
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
        CallThread.start(calls, host: host, handler: handler)
        host.serve(ExtensionHello(point: point, app: ClientLink.current.identity.app)) { call in
            calls.add(call)
        } ended: {
            // Exit immediately. Unfinished work has had its time, and nothing needs to be cleaned up.
            StandardOutput.flush()
            _exit(0)
        }
        while true { RunLoop.main.run() }
    }
}

/// The thread that runs callbacks one at a time.
///
/// A callback may wait for work on the main queue, because this is not the main thread.
private struct CallThread: @unchecked Sendable {
    // @unchecked: one thread creates it, and then only the thread that it starts uses it.
    private let calls: CallQueue
    private let host: HostChannel
    private let handler: ExtensionMain.Handler

    static func start(_ calls: CallQueue, host: HostChannel, handler: @escaping ExtensionMain.Handler) {
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
            // Stop counting before the host receives this message, because the next call may arrive immediately.
            TaskCounter.isCounting = false
            host.tell(.settled, ExtensionSettled(id: call.id))
        }
    }

    /// Waits until all tasks, all requests and all earlier work on the main queue have ended.
    private func waitUntilDone() {
        repeat {
            OutstandingWork.shared.waitUntilNone()
            DispatchQueue.main.sync {}
        } while !OutstandingWork.shared.isNone
    }
}

/// The calls that wait for the callback thread.
private final class CallQueue: @unchecked Sendable {
    // @unchecked: the lock of the condition guards the list.
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

/// The id and attempt of the current callback.
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
    /// Decodes the parameters of the callback.
    package func decoded<Body: WireBody>() throws -> Body { try Body.decodedBody(body.text) }

    /// The problem for a method of another kind of extension or of a later version.
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
    /// Encodes the result of a callback.
    package init(wire body: some WireBody) throws { self = try JSONValue(text: body.encodedBody()) }
}
