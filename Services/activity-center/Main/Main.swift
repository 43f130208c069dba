import STActivityCore
import STContracts
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(.activity) { configuration in
            ActivityService.definition(
                agents: Set(ConfigurationKey.names(configuration.value(.activityAgents)))
            )
        }
    }
}
