import STContracts
import STDesktopCore
import STPlatform
import STServiceKit

/// A file of scripts that the setting `script` of `[desktop-agent]` names.
struct ScriptFile {
    private let plays: [DesktopPlay.Request]
    /// Identifies the content of the file, so that it is not played twice.
    private let digest: String

    private static let bytesMax = 1024 * 1024

    private struct Content: WireBody, Codable {
        var plays: [DesktopPlay.Request]
    }

    init(path: String) throws {
        let bytes = try AtomicFile.read(path, limitBytes: Self.bytesMax)
        plays = try Content.decodedBody(bytes).plays
        digest = Fingerprint(bytes).hex
    }

    /// Plays the file that the settings name, unless it was played before.
    static func playConfiguredScript(_ host: ServiceHost<DesktopState>, _ surroundings: ServiceEnvironment)
        async
    {
        let path = surroundings.configuration.value(.desktopScript)
        if path.isEmpty { return }
        do {
            let file = try ScriptFile(path: path)
            let isNew = try await host.step("desktop.script.start") { [file] state, context, change in
                try DesktopSteps.start(
                    file.plays,
                    digest: file.digest,
                    state: &state,
                    context: context,
                    change: change
                )
            }
            if !isNew {
                surroundings.log.info(
                    "script_known",
                    "This script was played before; change the file to play another."
                )
            }
        } catch {
            surroundings.log.problem("script_refused", Problem(error), fields: ["script": .text(path)])
        }
    }
}
