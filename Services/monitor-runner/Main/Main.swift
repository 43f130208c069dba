import STContracts
import STEngine
import STExtensions
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

@main
enum Main {
    static func main() {
        ServiceProcess.main(.monitor) { host, surroundings in
            try await MonitorWorker.run(host, surroundings)
        } make: { configuration in
            MonitorService.definition(attempts: configuration.number(.attempts))
        }
    }
}

/// The background work of monitor-runner: it runs the processes of extensions and makes the callbacks.
enum MonitorWorker {
    static func run(
        _ host: ServiceHost<MonitorState>,
        _ surroundings: ServiceEnvironment
    ) async throws {
        let asking = ServiceRequester(.monitor, host: host, surroundings: surroundings)
        let output = OutputWriter(host, surroundings)
        do {
            let extensions = try ExtensionHost(
                surroundings.loop,
                settings: ExtensionSettings(surroundings, .monitor, folder: "extensions"),
                services: ExtensionServices(
                    forward: { try await asking.forward($0) },
                    heard: { output.receive($0) },
                    now: { surroundings.time.now() },
                    debuggingEnded: { spec in
                        Task(executorPreference: surroundings.loop.thread, priority: .medium) {
                            try await host.step("monitor.debug.end") { state, _, _ in
                                DeliverySteps.endDebugging(app: spec.app, &state)
                            }
                        }
                    }
                )
            )
            await DeliveryRunner(asking, extensions: extensions, output: output).run()
        } catch {
            // Without a folder for endpoints, no extension can be called. The routes still work.
            surroundings.log.problem("no_extensions", Problem(error))
            await asking.client.close()
        }
    }
}
