import Glibc
import STContracts
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

@main
enum Main {
    static func main() {
        // A look at the desktop by itself, for the doctor.
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--probe"] { exit(ProbeRun.run()) }
        // For `screentime desktop enable gnome`.
        if arguments.first == "--unpack-gnome", arguments.count == 3 {
            exit(GnomeExtension.unpack(into: arguments[1], shell: arguments[2]))
        }
        let ears = AgentEars()
        ServiceProcess.main(.desktop) { host, surroundings in
            let client = surroundings.makeClient()
            let sender = try ObservationSender(host, surroundings, client)
            let parts = AgentParts(surroundings, client, sender, ears)
            if parts == nil { ears.facts.lookAtNothing() }
            async let seeing: Void? = parts?.run()
            await ScriptFile.playConfigured(host, surroundings)
            await sender.run()
            await seeing
            await client.close()
        } make: { configuration in
            ears.definition(language: ShieldSettings.language(configuration, ProcessEnvironment.current()))
        }
    }
}
