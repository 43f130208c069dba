import Glibc
import STContracts
import STDesktopCore
import STPausing
import STPlatform
import STServiceKit
import STZeroMQ

@main
enum Main {
    static func main() {
        // A single examination of the desktop, for the doctor.
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--probe"] { exit(ProbeCommand.run()) }
        // For `screentime desktop enable gnome`.
        if arguments.first == "--unpack-gnome", arguments.count == 3 {
            exit(GnomeExtension.unpack(into: arguments[1], shell: arguments[2]))
        }
        // Run by systemd after it has ended this program. The other programs of the account cannot read the journal of pauses.
        if arguments == ["--thaw"] { exit(thaw()) }
        let ears = EventSources()
        ServiceProcess.main(.desktop) { host, surroundings in
            let client = surroundings.makeClient()
            let sender = try ObservationSender(host, surroundings: surroundings, client: client)
            let parts = AgentComponents(surroundings, client: client, sender: sender, ears: ears)
            if parts == nil { ears.facts.disableObservation() }
            async let seeing: Void? = parts?.run()
            async let living: Void = sayLife(client, surroundings: surroundings, parts: parts)
            await ScriptFile.playConfiguredScript(host, surroundings)
            await sender.run()
            await seeing
            await living
            await client.close()
        } make: { configuration in
            ears.definition(language: ShieldSettings.language(configuration, ProcessEnvironment.current()))
        }
    }

    private static func thaw() -> Int32 {
        let environment = ProcessEnvironment.current()
        guard let directories = try? Directories.from(environment: environment) else { return 1 }
        let thawing = AppThaw(
            journal: PauseJournal(directories),
            units: SystemdUnits(environment: environment)
        )
        return thawing.thawAll().problem == nil ? 0 : 1
    }

    private static let heartbeatInterval: Duration = .seconds(20)
    /// The interval while the screen is not observed.
    private static let pollInterval: Duration = .seconds(3)

    /// Pings services on a protected computer, so that the account's door notices if this program has ended, is stopped or
    /// observes nothing.
    ///
    /// While the agent observes the screen it pings activity-center. Otherwise it pings only auth-service, so that the door does
    /// not lock the screen.
    private static func sayLife(
        _ client: BusClient,
        surroundings: ServiceEnvironment,
        parts: AgentComponents?
    ) async {
        guard surroundings.directories.isProtectedAccount else { return }
        while !Task.isCancelled {
            let sight = await parts?.observationMode ?? .disabled
            switch sight {
            case .all: _ = try? await client.call(HealthPing.self, to: .activity, Empty())
            case .disabled: _ = try? await client.call(HealthPing.self, to: .auth, Empty())
            case .remote: break
            }
            try? await Task.sleep(for: sight == .all ? heartbeatInterval : pollInterval)
        }
    }
}
