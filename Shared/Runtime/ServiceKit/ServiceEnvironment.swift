import Glibc
import STBus
package import STPlatform
import STWire
package import STZeroMQ

/// The environment of a service in its process: its directories, configuration, log, clock and bus.
package struct ServiceEnvironment: Sendable {
    package let directories: Directories
    package let configuration: Configuration
    package let log: Log
    package let time: any TimeSource
    /// Counts the process's own work, so that a virtual clock waits for it.
    package let hold: VirtualTimeHold
    package let loop: BusLoop
    /// `/<device>/<service>`, the source in the headers of events.
    package let source: String
    /// Set for desktop-agent, which must not guess the foreground app of the time in which it was stopped.
    package let shutdown: ShutdownNotice?
    /// Computes the codes of requests that only this service may send.
    private let codes: CallerCodes?

    package init(
        directories: Directories,
        configuration: Configuration,
        log: Log,
        time: any TimeSource,
        pulse: VirtualTimeHold,
        loop: BusLoop,
        source: String,
        stops: ShutdownNotice? = nil,
        codes: CallerCodes? = nil
    ) {
        self.directories = directories
        self.configuration = configuration
        self.log = log
        self.time = time
        self.hold = pulse
        self.loop = loop
        self.source = source
        self.shutdown = stops
        self.codes = codes
    }

    /// Creates a client for requests to other services. The caller must close it.
    package func makeClient() -> BusClient {
        BusClient(loop: loop, prove: codes?.proof) { [directories] service in
            try directories.endpoint(service: service.rawValue, .rpc)
        }
    }

    /// Checks the requests that only one other service may send.
    var callers: CallerCheck {
        guard let codes else { return CallerCheck() }
        return CallerCheck(isProof: codes.isProof) { [directories] service in
            access(directories.wantedFile(service: service.rawValue), F_OK) == 0
        }
    }
}
