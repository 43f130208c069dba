import STNotifierCore
import STServiceKit

@main
enum Main {
    static func main() { ServiceProcess.main(NotifierService.definition()) }
}
