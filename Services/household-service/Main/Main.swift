import STContracts
import STHouseholdCore
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(HouseholdService.definition()) { host, surroundings in
            try await MachineDoor(host, surroundings).run()
        }
    }
}
