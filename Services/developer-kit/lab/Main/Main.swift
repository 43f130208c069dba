import Glibc
import STCommandCore
import STLab
import STPlatform

@main
enum Main {
    static func main() async {
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        let environment = ProcessEnvironment.current()
        let code = await CommandRunner.run(
            Array(CommandLine.arguments.dropFirst()),
            environment: environment,
            terminal: .current(environment: environment),
            bodies: LabCommands.bodies
        )
        exit(code.rawValue)
    }
}
