import Glibc
import STNotifierCore
import STServiceKit

@main
enum Main {
    static func main() async { exit(await ServiceProcess.run(NotifierService.definition())) }
}
