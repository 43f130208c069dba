import STActivityCore
import STContracts
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
