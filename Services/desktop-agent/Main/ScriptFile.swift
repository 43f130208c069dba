import STContracts
import STPlatform

/// A file of scripts, as the setting `script` of [desktop-agent] names one.
struct ScriptFile {
    let plays: [DesktopPlay.Request]
    /// FNV-1a of the content: to know the same file again, not to withstand an attacker.
    let digest: String

    private static let bytesMax = 1024 * 1024

    static func read(_ path: String) throws -> ScriptFile {
        let bytes = try AtomicFile.read(path, limitBytes: bytesMax)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return ScriptFile(plays: try Content.decodedBody(bytes).plays, digest: String(hash, radix: 16))
    }

    private struct Content: WireBody, Codable {
        var plays: [DesktopPlay.Request]
    }
}
