import Glibc
import STActivityCore
import STServiceKit

@main
enum Main {
    static func main() async { exit(await ServiceProcess.run(ActivityService.definition())) }
}
