import STContracts
import STPlatform

/// How an extension is started.
enum ExtensionStart {
    private static let logDescriptor: Int32 = 3

    static func plan(
        _ spec: ExtensionSpec,
        _ settings: ExtensionSettings,
        endpoint: String,
        _ output: ExtensionOutput,
        isStopped: Bool
    ) -> SpawnPlan {
        var environment = settings.environment
        environment.merge(spec.environment) { _, own in own }
        environment[ExtensionEnvironment.host] = "ipc://" + endpoint
        environment[ExtensionEnvironment.app] = spec.app
        environment[ExtensionEnvironment.member] = spec.member
        environment[ExtensionEnvironment.point] = spec.point.rawValue
        environment[ExtensionEnvironment.logDescriptor] = String(logDescriptor)
        return SpawnPlan(
            executable: isStopped ? "/bin/sh" : spec.executable,
            // The shell stops itself and then becomes the extension, so that a debugger has all the time it needs.
            arguments: isStopped ? ["-c", "kill -STOP $$; exec \"$1\"", "sh", spec.executable] : [],
            environment: environment,
            workingDirectory: "/",
            standardOutput: output.writeEnd(.output),
            standardError: output.writeEnd(.error),
            descriptors: [logDescriptor: output.writeEnd(.log)],
            isTethered: true,
            isOffline: spec.point.isOffline
        )
    }
}
