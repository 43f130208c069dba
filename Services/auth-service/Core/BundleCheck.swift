import Glibc
import STContracts
import STPlatform

/// Looks at an app on the disk: what its manifest says, and whether that is there.
///
/// On a phone an extension with a wrong identifier or without its entitlement is silently never called.
struct BundleCheck {
    static let protocolVersion: Int64 = 1
    /// As written here, and as in Apple's property lists.
    static let entitlements = ["family-controls", "com.apple.developer.family-controls"]
    /// Developers often add it, but it does not exist.
    private static let inventedEntitlement = "com.apple.developer.deviceactivity"

    /// As Apple calls them.
    private static let models = ["iPhone", "iPod", "iPad", "mac"]

    private let bundle: String
    private let programs: String?
    private var reasons = InstallReasons()

    /// The manifest with absolute paths, and where the bundle really is.
    static func read(_ request: AppInstall.Request) throws -> (manifest: AppManifest, bundle: String) {
        let bundle = try folder(request.bundle, "/bundle", "The bundle")
        let programs = try request.programs.map { try folder($0, "/programs", "The folder of programs") }
        var check = BundleCheck(bundle: bundle, programs: programs)
        return (try check.manifest(), bundle)
    }

    private init(bundle: String, programs: String?) {
        self.bundle = bundle
        self.programs = programs
    }

    private mutating func manifest() throws -> AppManifest {
        let path = "\(bundle)/\(ManifestReader.fileName)"
        var reader = ManifestReader()
        guard var manifest = reader.read(try Self.manifestBytes(path)) else {
            throw reader.reasons.problem(bundle) ?? Problem("app.bad_manifest", "\(path) cannot be read.")
        }
        reasons = reader.reasons
        checkVersion(manifest.protocolVersion, "")
        checkEntitlements(manifest.entitlements, "", "The app")
        if let model = manifest.deviceModel { checkModel(model) }
        if let executable = manifest.executable { manifest.executable = find(executable, "/executable") }
        var seen: Set<String> = []
        for index in manifest.extensions.indices {
            let place = "/extensions/\(index)"
            let item = manifest.extensions[index]
            checkPoint(item.point, place, &seen)
            checkVersion(item.protocolVersion, place)
            checkEntitlements(item.entitlements, place, "The extension")
            manifest.extensions[index].executable =
                find(item.executable, "\(place)/executable") ?? item.executable
        }
        if let problem = reasons.problem(bundle) { throw problem }
        return manifest
    }

    private mutating func checkPoint(_ point: String, _ place: String, _ seen: inout Set<String>) {
        guard !point.isEmpty else { return }
        if !ExtensionPoint.all.contains(ExtensionPoint(point)) {
            let known = ExtensionPoint.all.map(\.rawValue).joined(separator: ", ")
            let meant = ExtensionPoint.near(point).map { "Did you mean \($0)?" } ?? "There are: \(known)."
            reasons.add(
                "app.unknown_point",
                "\(place)/point",
                "There is no extension point \(TextLimit.shown(point)). \(meant)"
            )
        } else if !seen.insert(point).inserted {
            reasons.add(
                "app.point_twice",
                "\(place)/point",
                "Two extensions are for \(point), and only one can be called. Remove one of them."
            )
        }
    }

    /// Checks the device model that this computer has in the filters of an app's reports.
    private mutating func checkModel(_ model: String) {
        guard !Self.models.contains(where: { $0.lowercased() == model.lowercased() }) else { return }
        reasons.add(
            "app.unknown_device_model",
            "/deviceModel",
            "There is no device \(TextLimit.shown(model)); this computer can be \(Self.models.joined(separator: ", "))."
        )
    }

    private mutating func checkVersion(_ version: Int64, _ place: String) {
        // A missing number was reported already.
        guard version != Self.protocolVersion, version != 0 else { return }
        reasons.add(
            "app.protocol_unsupported",
            "\(place)/protocol",
            "It speaks version \(version) of the protocol, but this system speaks \(Self.protocolVersion). "
                + "Rebuild it with this version of the frameworks."
        )
    }

    private mutating func checkEntitlements(_ list: [String], _ place: String, _ who: String) {
        if !list.contains(where: Self.entitlements.contains) {
            reasons.add(
                "app.entitlement_missing",
                "\(place)/entitlements",
                "\(who) does not have the entitlement \(Self.entitlements[0])."
            )
        }
        if list.contains(Self.inventedEntitlement) {
            reasons.add(
                "app.unknown_entitlement",
                "\(place)/entitlements",
                "There is no entitlement \(Self.inventedEntitlement); \(Self.entitlements[0]) is all an app needs."
            )
        }
    }

    /// The absolute path of an executable of the app: in its bundle, or else in the folder of programs.
    private mutating func find(_ name: String, _ place: String) -> String? {
        guard !name.isEmpty else { return nil }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !parts.contains("") else {
            reasons.add(
                "app.path_outside",
                place,
                "The executable \(TextLimit.shown(name)) is not a path inside of the bundle."
            )
            return nil
        }
        var fault: (code: String, sentence: String)?
        for folder in [bundle, programs].compactMap(\.self) {
            switch Self.look("\(folder)/\(name)", in: folder) {
            case .found(let path): return path
            case .missing: continue
            case .wrong(let code, let sentence):
                fault = fault ?? (code, "The executable \(TextLimit.shown(name)) \(sentence)")
            }
        }
        let places = [bundle, programs].compactMap(\.self).joined(separator: " and ")
        let told =
            fault ?? (
                "app.executable_missing", "The executable \(TextLimit.shown(name)) is not in \(places)."
            )
        reasons.add(told.code, place, told.sentence)
        return nil
    }

    private enum Found {
        case found(String)
        case missing
        case wrong(code: String, String)
    }

    private static func look(_ path: String, in folder: String) -> Found {
        guard let real = DirectoryTree.real(path) else { return .missing }
        guard real.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            return .wrong(code: "app.path_outside", "is a link to \(real), outside of \(folder).")
        }
        var info = stat()
        guard stat(real, &info) == 0 else { return .missing }
        guard info.st_mode & S_IFMT == S_IFREG else {
            return .wrong(code: "app.executable_no_file", "is not a file.")
        }
        guard access(real, X_OK) == 0, info.st_mode & 0o111 != 0 else {
            return .wrong(code: "app.executable_not_executable", "may not be executed. Try chmod +x \(real).")
        }
        return .found(real)
    }

    private static func folder(_ path: String, _ field: String, _ what: String) throws -> String {
        guard path.hasPrefix("/"), path.utf8.count < Int(PATH_MAX), !path.utf8.contains(0) else {
            throw Problem("app.bad_folder", "\(what) must be an absolute path.", field: field)
        }
        var info = stat()
        guard let real = DirectoryTree.real(path), stat(real, &info) == 0, info.st_mode & S_IFMT == S_IFDIR
        else {
            throw Problem(
                "app.no_folder",
                "\(what) \(TextLimit.shown(path)) is not a folder that can be entered.",
                field: field,
                help: "screentime app install FOLDER"
            )
        }
        return real
    }

    private static func manifestBytes(_ path: String) throws -> [UInt8] {
        var info = stat()
        guard stat(path, &info) == 0 else {
            throw Problem(
                "app.no_manifest",
                "\(path) cannot be read: \(SystemError.text(errno)). An app is a folder with a manifest.json.",
                field: "/bundle"
            )
        }
        // A pipe would be read for ever.
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw Problem("app.no_manifest", "\(path) is not a file.", field: "/bundle")
        }
        guard info.st_size <= ManifestReader.fileBytesMax else {
            throw Problem(
                "app.manifest_too_large",
                "\(path) is larger than \(ManifestReader.fileBytesMax >> 10) KiB.",
                field: "/bundle"
            )
        }
        return try AtomicFile.read(path, limitBytes: ManifestReader.fileBytesMax)
    }
}

/// All that is wrong with an app, so that its developer sees everything at once.
struct InstallReasons {
    private static let namedMax = 20

    private struct Reason {
        var code: String
        var field: String
        var sentence: String
    }

    private var reasons: [Reason] = []

    mutating func add(_ code: String, _ field: String, _ sentence: String) {
        reasons.append(Reason(code: code, field: field, sentence: sentence))
    }

    /// One reason keeps its own code; several become a list.
    func problem(_ bundle: String) -> Problem? {
        guard let first = reasons.first else { return nil }
        let help = "screentime app install --help"
        guard reasons.count > 1 else {
            return Problem(first.code, first.sentence, field: first.field, help: help)
        }
        let named = reasons.prefix(Self.namedMax)
        var details: [String: String] = [:]
        for (index, reason) in named.enumerated() {
            let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
            details["\(number) \(reason.code)"] = "\(reason.sentence) (\(reason.field))"
        }
        let lines = named.map { "\n- \($0.sentence) (\($0.field))" }.joined()
        let more = reasons.count > named.count ? "\n- and \(reasons.count - named.count) more." : ""
        return Problem(
            "app.refused",
            "\(bundle) cannot be installed, for \(reasons.count) reasons:\(lines)\(more)",
            help: help,
            details: details
        )
    }
}

extension ExtensionPoint {
    /// The extension point that a wrong identifier probably means.
    fileprivate static func near(_ text: String) -> ExtensionPoint? {
        if let same = all.first(where: { $0.rawValue.lowercased() == text.lowercased() }) { return same }
        if let near = TextFormat.closest(to: text, in: all.map(\.rawValue)) { return ExtensionPoint(near) }
        // Developers remember the last part best, and mix up the frameworks in front of it.
        let tails = all.map { tail(of: $0.rawValue) }
        guard let near = TextFormat.closest(to: tail(of: text), in: tails) else { return nil }
        return tails.firstIndex(of: near).map { all[$0] }
    }

    private static func tail(of text: String) -> String {
        text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    }
}
