import Glibc
import STBus
package import STContracts
package import STEngine
import STPlatform
import STStore
import STZeroMQ

/// The life of a service's process: it reads the configuration, opens the database, binds the sockets, reports readiness, answers
/// requests, and stops within 9 s.
package enum ServiceProcess {
    /// Background work of a service beside its requests. It is cancelled when the process stops.
    package typealias Worker<State: Sendable> =
        @Sendable (ServiceHost<State>, ServiceEnvironment) async throws -> Void

    /// Runs until the process receives SIGTERM or SIGINT.
    ///
    /// Not async, because signals must be blocked on the main thread before any other thread exists. Otherwise the kernel delivers
    /// SIGTERM to a thread that still handles it in the default way.
    package static func main<State: Sendable>(
        _ definition: ServiceDefinition<State>,
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        companion: Worker<State>? = nil
    ) -> Never {
        main(definition.name, arguments: arguments, companion: companion) { _ in definition }
    }

    /// Runs a service whose definition depends on its settings.
    package static func main<State: Sendable>(
        _ service: ServiceName,
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        companion: Worker<State>? = nil,
        make: (Configuration) throws -> ServiceDefinition<State>
    ) -> Never {
        // First of all, because children of a process with blocked signals never receive SIGTERM.
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        ProcessMemory.close()
        // Room for the connections of two sockets, and for other descriptors. libzmq aborts the process if no descriptor is left,
        // and it accepts connections of other machines faster than the service can close them.
        let isOfHousehold = ServiceName.ofHousehold.contains(service)
        ProcessMemory.raiseDescriptors(
            to: UInt(2 * PeerConnections.allMax + (isOfHousehold ? 26_000 : 2_000))
        )
        let name = service.rawValue
        if let code = answer(arguments, name) { exit(code) }
        let main = MainThread()
        do {
            try RunningService(service, make).start(companion, on: main)
        } catch {
            let problem = Problem(error)
            Log.standard(service: name, level: .info).problem("cannot_start", problem)
            Systemd.notify("STATUS=\(problem.message)")
            exit(StartFailure.exitCode(problem))
        }
        main.run()
    }

    private static func answer(_ arguments: [String], _ name: String) -> Int32? {
        switch arguments.first {
        case nil: return nil
        case "--version":
            print("\(name) \(Version.text)")
            return 0
        case "--help":
            print("\(name): a process of Screen Time for Linux. It takes no arguments; it is started by")
            print("`scripts/run-all.sh`, `screentime system up` or systemd, and asked with `screentime`.")
            return 0
        case .some(let other):
            print("\(name): \(other) is not known here. Try --help or --version.")
            return 64
        }
    }
}
