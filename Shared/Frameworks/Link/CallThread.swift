import Dispatch
import Foundation
import Glibc
import STContracts
import STPlatform

/// The thread that callbacks are made on, one at a time.
///
/// Not the main one, so that a callback may wait for something that is done on the main queue.
struct CallThread: @unchecked Sendable {
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
                returned.failure = (error as? Problem) ?? Problem("extension.failed", "\(error)")
            }
            StandardOutput.flush()
            host.tell(.returned, returned)
            waitUntilDone()
            StandardOutput.flush()
            // Before it is told, as the next call may come at once.
            TaskCounter.isCounting = false
            host.tell(.settled, ExtensionSettled(id: call.id))
        }
    }

    /// Until no task and no request is left, nor anything that was put on the main queue before.
    private func waitUntilDone() {
        repeat {
            OutstandingWork.shared.waitUntilNone()
            DispatchQueue.main.sync {}
        } while !OutstandingWork.shared.isNone
    }
}
