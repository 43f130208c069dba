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
        if CommandLine.arguments.dropFirst() == ["--probe"] { exit(ProbeRun.run()) }
        let ears = AgentEars()
        ServiceProcess.main(.desktop) { host, surroundings in
            let client = BusClient(loop: surroundings.loop) {
                [directories = surroundings.directories] service in
                try directories.endpoint(service: service.rawValue, .rpc)
            }
            let parts = AgentParts(host, surroundings, client, ears)
            async let seeing: Void? = parts?.run()
            try await ObservationSender(host, surroundings, client, parts?.hub).run()
            await seeing
            await client.close()
        } make: { configuration in
            ears.definition(language: ShieldSettings.language(configuration, ProcessEnvironment.current()))
        }
    }
}
