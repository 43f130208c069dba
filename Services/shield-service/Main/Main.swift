import STServiceKit
import STShieldCore

@main
enum Main {
    static func main() { ServiceProcess.main(ShieldService.definition()) }
}
