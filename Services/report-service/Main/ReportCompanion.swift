import STContracts
import STExtensions
import STPlatform
import STReportCore
import STServiceKit
import STZeroMQ

/// The background work of report-service: runs the apps' report extensions, and adds tokens to the data of apps.
enum ReportCompanion {
    static func run(_ host: ServiceHost<ReportState>, _ surroundings: Surroundings) async throws {
        let asking = ServiceAsking(.report, host, surroundings)
        let output = OutputWriter(host, surroundings)
        let data = DataAsker(asking)
        await host.answer(DataAsk.self) { request, question in await data.answer(request, question) }
        let extensions = await start(asking, output)
        // Wait until the process stops.
        for await _ in host.bell.rings {}
        await extensions?.stop()
        await output.flush()
        await asking.client.close()
    }

    /// Returns `nil` if the endpoints have no place. No report of an app can then be made.
    private static func start(
        _ asking: ServiceAsking<ReportState>,
        _ output: OutputWriter<ReportState>
    ) async -> ExtensionHost? {
        let surroundings = asking.surroundings
        do {
            let failures = DataFailures()
            let extensions = try ExtensionHost(
                surroundings.loop,
                ExtensionSettings(surroundings, .report, folder: "reports"),
                ExtensionServices(
                    forward: { request in try await failures.forward(request, by: asking) },
                    heard: { output.hear($0) },
                    now: { surroundings.time.now() }
                )
            )
            let renders = RenderAsker(ExtensionCaller(asking, extensions), output, failures)
            await asking.host.answer(RenderAsk.self) { request, question in
                await renders.answer(request, question)
            }
            await asking.host.answer(PieceAsk.self) { request, question in
                await renders.piece(request, question)
            }
            return extensions
        } catch {
            let problem = Problem(error)
            surroundings.log.problem("no_extensions", problem)
            // Reject these requests, so that they do not wait for extensions.
            await asking.host.answer(RenderAsk.self) { _, _ in RenderAsk.Reply(problem: problem) }
            await asking.host.answer(PieceAsk.self) { _, _ in PieceAsk.Reply(problem: problem) }
            return nil
        }
    }
}
