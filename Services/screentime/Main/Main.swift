import Glibc
import STCommandCore
import STCommandImport
import STCommandProtect
import STPlatform

@main
enum Main {
    static func main() async {
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        // Passcodes are typed into this process.
        ProcessMemory.close()
        let environment = ProcessEnvironment.current()
        let code = await CommandRunner.run(
            Array(CommandLine.arguments.dropFirst()),
            environment: environment,
            terminal: .current(environment: environment),
            bodies: ImportCommands.bodies.merging(ProtectCommands.bodies) { $1 }
        )
        exit(code.rawValue)
    }
}
