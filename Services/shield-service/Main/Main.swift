import Glibc
import STServiceKit
import STShieldCore

@main
enum Main {
    static func main() async { exit(await ServiceProcess.run(ShieldService.definition())) }
}
