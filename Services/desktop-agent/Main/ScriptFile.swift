import STContracts
import STPlatform

/// A file of scripts, as the setting `script` of [desktop-agent] names one.
struct ScriptFile: WireBody, Codable {
    var plays: [DesktopPlay.Request]

    private static let bytesMax = 1024 * 1024

    static func read(_ path: String) throws -> ScriptFile {
        try decodedBody(try AtomicFile.read(path, limitBytes: bytesMax))
    }
}
