import STPlatform
import STWire

/// The Screen Time extension for GNOME Shell, which is part of this program.
enum GnomeExtension {
    /// The first version of GNOME Shell that loads extensions as modules.
    private static let modules = 45

    /// Writes the files of the extension in the form that this version of GNOME Shell requires. Returns the exit status.
    static func unpack(into folder: String, shell version: String) -> Int32 {
        guard let major = Int(version.prefix { $0.isNumber }) else { return fail("no version: \(version)") }
        let head = major < modules ? PackageResources.legacy_js : PackageResources.module_js
        do {
            try Directories.prepare(folder)
            let metadata = String(decoding: PackageResources.metadata_json, as: UTF8.self)
                .replacing("VERSION", with: Version.text)
            try AtomicFile.write(Array(metadata.utf8), to: "\(folder)/metadata.json", mode: 0o644)
            try AtomicFile.write(
                head + Array("\n".utf8) + PackageResources.screen_js,
                to: "\(folder)/extension.js",
                mode: 0o644
            )
            try AtomicFile.write(
                PackageResources.screentime_symbolic_svg,
                to: "\(folder)/screentime-symbolic.svg",
                mode: 0o644
            )
            return 0
        } catch {
            return fail(Problem(error).message)
        }
    }

    private static func fail(_ why: String) -> Int32 {
        print(why)
        return 1
    }
}
