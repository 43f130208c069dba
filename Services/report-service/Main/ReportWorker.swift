import STContracts
import STExtensions
import STPlatform
import STReportCore
import STServiceKit
import STZeroMQ

/// The background work of report-service: runs the apps' report extensions, and adds tokens to the data of apps.
enum ReportWorker {
    static func run(_ host: ServiceHost<ReportState>, _ surroundings: ServiceEnvironment) async throws {
        let asking = ServiceRequester(.report, host: host, surroundings: surroundings)
        let output = OutputWriter(host, surroundings)
        let data = ReportDataProvider(asking)
        await host.setWorkerHandler(DataQuery.self) { request, question in
            await data.answer(request, question)
        }
        let extensions = await start(asking, output)
        // Wait until the process stops.
        for await _ in host.changeSignal.signals {}
        await extensions?.stop()
        await output.flush()
        await asking.client.close()
    }

    /// Returns `nil` if the endpoints have no place. No report of an app can then be made.
    private static func start(
        _ asking: ServiceRequester<ReportState>,
        _ output: OutputWriter<ReportState>
    ) async -> ExtensionHost? {
        let surroundings = asking.surroundings
        do {
            let failures = DataFailures()
            let extensions = try ExtensionHost(
                surroundings.loop,
                settings: ExtensionSettings(surroundings, .report, folder: "reports"),
                services: ExtensionServices(
                    forward: { request in try await failures.forward(request, by: asking) },
                    heard: { output.receive($0) },
                    now: { surroundings.time.now() }
                )
            )
            let renders = ReportRenderer(
                ExtensionCaller(asking, extensions),
                output: output,
                failures: failures
            )
            await asking.host.setWorkerHandler(RenderCall.self) { request, question in
                await renders.answer(request, question)
            }
            await asking.host.setWorkerHandler(PieceQuery.self) { request, question in
                await renders.piece(request, question)
            }
            return extensions
        } catch {
            let problem = Problem(error)
            surroundings.log.problem("no_extensions", problem)
            // Reject these requests, so that they do not wait for extensions.
            await asking.host.setWorkerHandler(RenderCall.self) { _, _ in RenderCall.Reply(problem: problem) }
            await asking.host.setWorkerHandler(PieceQuery.self) { _, _ in PieceQuery.Reply(problem: problem) }
            return nil
        }
    }
}
