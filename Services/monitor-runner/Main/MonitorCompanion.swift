import Glibc
import STContracts
import STExtensionHost
import STMonitorCore
import STPlatform
import STServiceKit
import STTelemetry
import STZeroMQ

/// What monitor-runner does beside answering: it has the extensions' processes, and makes the callbacks.
enum MonitorCompanion {
    static func run(
        _ host: ServiceHost<MonitorState>,
        _ surroundings: Surroundings
    ) async throws {
        let client = BusClient(loop: surroundings.loop) { [directories = surroundings.directories] service in
            try directories.endpoint(service: service.rawValue, .rpc)
        }
        let asking = ServiceAsking(host: host, surroundings: surroundings, client: client)
        let output = OutputWriter(host, surroundings)
        do {
            let extensions = try ExtensionHost(
                surroundings.loop,
                settings(surroundings),
                ExtensionServices(
                    forward: { try await asking.forward($0) },
                    heard: { output.hear($0) },
                    now: { surroundings.time.now() },
                    debuggingEnded: { spec in
                        Task(executorPreference: surroundings.loop.thread, priority: .medium) {
                            _ = try await host.callSelf(MonitorDebug.self, .init(app: spec.app, on: false))
                        }
                    }
                )
            )
            let rules = try RuleKeeper(host, surroundings)
            await DeliveryRunner(asking, extensions, output, builtIn: rules).run()
        } catch {
            // Without a place for its endpoints no extension can be called; all else still answers.
            surroundings.log.problem("no_extensions", DeliveryRunner.problem(error))
            await client.close()
        }
    }

    private static func settings(_ surroundings: Surroundings) -> ExtensionSettings {
        var settings = ExtensionSettings(
            directories: surroundings.directories,
            environment: ProcessEnvironment.current(),
            clockLibrary: beside("libscreentime-clock.so")
        )
        let configuration = surroundings.configuration
        settings.limits.memoryBytes = configuration.number(.memoryKiB) * 1024
        settings.limits.callMs = configuration.number(.callMs)
        settings.limits.outputBytes = configuration.number(.outputKiB) * 1024
        settings.limits.keepWarmMs = configuration.number(.keepWarmMs)
        let workMs = configuration.number(.workMs)
        settings.limits.workMs = workMs < settings.limits.callMs ? workMs : nil
        // This process has no other children.
        settings.ownsAllChildren = true
        return settings
    }

    /// A file that is installed where this program is.
    private static func beside(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let path = "\(own[..<slash])/\(name)"
        return access(path, R_OK) == 0 ? path : nil
    }
}
