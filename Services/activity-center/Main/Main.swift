import STActivityCore
import STContracts
import STDomain
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(.activity) { host, surroundings in
            try await ScheduleClock(host, surroundings).run()
        } make: { configuration in
            ActivityService.definition(
                agents: Set(ConfigurationKey.names(configuration.value(.activityAgents))),
                limits: ActivitySettings.limits(configuration)
            )
        }
    }
}

/// What the configuration says about how much may be watched.
enum ActivitySettings {
    static func limits(_ configuration: Configuration) -> ActivityLimits {
        var limits = ActivityLimits()
        limits.activitiesPerApp = Int(configuration.value(.activitiesMax)) ?? limits.activitiesPerApp
        limits.schedule = ScheduleLimits(
            minMs: TextFormat.durationMs(configuration.value(.intervalMin)) ?? limits.schedule.minMs,
            maxMs: TextFormat.durationMs(configuration.value(.intervalMax)) ?? limits.schedule.maxMs
        )
        limits.mode = ScheduleMode(rawValue: configuration.value(.scheduleMode)) ?? limits.mode
        limits.countsShielded = configuration.value(.shieldedTime) == "counted"
        return limits
    }
}
