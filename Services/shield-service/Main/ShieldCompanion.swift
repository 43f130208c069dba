import STContracts
import STExtensionHost
import STExtensionService
import STPlatform
import STServiceKit
import STShieldCore
import STTelemetry
import STZeroMQ

/// What shield-service does beside answering: it has the processes of the apps' shield extensions, and asks them.
enum ShieldCompanion {
    static func run(
        _ host: ServiceHost<ShieldState>,
        _ surroundings: Surroundings,
        language: String
    ) async throws {
        let asking = ServiceAsking(.shield, host, surroundings)
        let output = OutputWriter(host, surroundings)
        do {
            let extensions = try ExtensionHost(
                surroundings.loop,
                ExtensionSettings(surroundings, .shield, folder: "shields"),
                ExtensionServices(
                    forward: { try await asking.forward($0) },
                    heard: { output.hear($0) },
                    now: { surroundings.time.now() }
                )
            )
            let caller = ShieldCaller(asking, extensions, output)
            let looks = LookAsker(caller)
            let presses = PressAsker(caller, looks)
            await host.answer(LookAsk.self) { request, question in
                try await looks.answer(request, question)
            }
            await host.answer(PressAsk.self) { request, question in
                try await presses.answer(request, question)
            }
            // Until the service stops.
            for await _ in host.bell.rings {}
            await extensions.stop()
            await output.flush()
        } catch {
            // Without a place for its endpoints no extension can be called; shields have the system's own look then.
            surroundings.log.problem(
                "no_extensions",
                (error as? Problem) ?? Problem("internal", "\(error)")
            )
        }
        await asking.client.close()
    }
}
