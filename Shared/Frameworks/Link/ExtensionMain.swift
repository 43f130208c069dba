import Foundation
import Glibc
package import STContracts
import STFoundationTypes
import STPlatform

/// The entry point of an extension.
///
/// The frameworks add a `run` for each kind of extension, such as `ExtensionMain.run { MyMonitor() }`.
public enum ExtensionMain {
    /// Which attempt the callback under way is, from 1.
    ///
    /// More than 1 means that an earlier one was cut short: it may have done its work, or a part of it. What was asked
    /// of a framework is not done twice, whatever the attempt; this is for what an app does in files of its own.
    public static var attempt: Int { CallUnderWay.shared.attempt }

    /// Names the callback under way: the same in each attempt, and never used again; nil before the first callback.
    public static var deliveryID: String? { CallUnderWay.shared.id }

    /// What makes the callbacks of one kind of extension.
    package typealias Handler = (ExtensionCall) throws -> JSONValue?

    /// `sysexits.h` calls it a usage error.
    private static let usageStatus: Int32 = 64

    /// Serves the host until it has no more calls.
    ///
    /// `prepare` makes the extension's object, on the main thread and before the first call.
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
                      try: screentime app install the folder with its manifest.json

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
            // At once: whoever is still at work was given its time. Nothing of ours needs to be put away.
            StandardOutput.flush()
            _exit(0)
        }
        while true { RunLoop.main.run() }
    }
}
