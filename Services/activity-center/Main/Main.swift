import Glibc
import STActivityCore
import STContracts
import STDomain
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Checks one file, for `data verify --from`.
        if arguments.count == 2, arguments[0] == "--verify" { exit(verify(arguments[1])) }
        ServiceProcess.main(.activity) { host, surroundings in
            try await ScheduleClock(host, surroundings).run()
        } make: { configuration in
            ActivityService.definition(
                agents: Set(ConfigurationKey.names(configuration.value(.activityAgents))),
                services: isOfComputer ? ServiceName.ofComputer : ServiceName.all,
                limits: ActivitySettings.limits(configuration, isProtected: isOfComputer),
                language: SessionLanguage.tag(ProcessEnvironment.current()) ?? "en"
            )
        }
    }

    private static var isOfComputer: Bool {
        (try? Directories.from(environment: ProcessEnvironment.current()))?.run == Directories.protected.run
    }

    /// Prints the reply, or the problem, as one line. Returns the exit code.
    private static func verify(_ path: String) -> Int32 {
        do {
            print(String(decoding: try LedgerCheck.verifyAll(path).encodedBody(), as: UTF8.self))
            return 0
        } catch {
            let bytes = (try? Problem(error).encodedBody()) ?? []
            print(String(decoding: bytes, as: UTF8.self))
            return 1
        }
    }
}

/// The limits on activities in the configuration.
enum ActivitySettings {
    static func limits(_ configuration: Configuration, isProtected: Bool) -> ActivityLimits {
        var limits = ActivityLimits()
        limits.isProtected = isProtected
        limits.activitiesPerApp = Int(configuration.value(.activitiesMax)) ?? limits.activitiesPerApp
        limits.schedule = ScheduleLimits(
            minMs: TextFormat.durationMs(configuration.value(.intervalMin)) ?? limits.schedule.minMs,
            maxMs: TextFormat.durationMs(configuration.value(.intervalMax)) ?? limits.schedule.maxMs
        )
        limits.mode = ScheduleMode(rawValue: configuration.value(.scheduleMode)) ?? limits.mode
        limits.countsShielded = configuration.value(.shieldedTime) == "counted"
        limits.faults = ConfigurationKey.names(configuration.value(.phoneFaults)).compactMap(
            PhoneFault.init(rawValue:)
        )
        return limits
    }
}
