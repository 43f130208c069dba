import STActivityCore
import STServiceKit

@main
enum Main {
    static func main() { ServiceProcess.main(ActivityService.definition()) }
}
