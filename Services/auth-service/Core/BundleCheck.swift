import Glibc
import STContracts
import STPlatform

/// Checks an app on the disk: its manifest, and the files that the manifest names.
///
/// On a phone, an extension with a wrong identifier or without its entitlement is silently never called.
struct BundleCheck {
    static let protocolVersion: Int64 = 1
    /// The entitlement's name on Linux, and its name in Apple's property lists.
    static let entitlements = ["family-controls", "com.apple.developer.family-controls"]
    /// Developers often add this entitlement, but it does not exist.
    private static let inventedEntitlement = "com.apple.developer.deviceactivity"

    /// Apple's names of device models.
    private static let models = ["iPhone", "iPod", "iPad", "mac"]

    private let bundle: String
    private let programs: String?
    private var reasons = InstallReasons()

    /// Returns the manifest with absolute paths, and the real path of the bundle.
    static func read(_ request: AppInstall.Request) throws -> (manifest: AppManifest, bundle: String) {
        let bundle = try folder(
            request.bundle,
            field: "/bundle",
            what: Message("app.the-bundle", "The bundle")
        )
        let programs = try request.programs.map {
            try folder($0, field: "/programs", what: Message("app.the-programs", "The programs folder"))
        }
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
            throw reader.reasons.problem(bundle)
                ?? Problem(
                    "app.bad_manifest",
                    "\(path, "path") is not a valid manifest. Correct it and try again."
                )
        }
        reasons = reader.reasons
        checkVersion(manifest.protocolVersion, "")
        checkEntitlements(manifest.entitlements, "")
        if let model = manifest.deviceModel { checkModel(model) }
        if let executable = manifest.executable { manifest.executable = find(executable, "/executable") }
        var seen: Set<String> = []
        for index in manifest.extensions.indices {
            let place = "/extensions/\(index)"
            let item = manifest.extensions[index]
            checkPoint(item.point, place: place, seen: &seen)
            checkVersion(item.protocolVersion, place)
            checkEntitlements(item.entitlements, place)
            manifest.extensions[index].executable =
                find(item.executable, "\(place)/executable") ?? item.executable
        }
        if let problem = reasons.problem(bundle) { throw problem }
        return manifest
    }

    private mutating func checkPoint(_ point: String, place: String, seen: inout Set<String>) {
        guard !point.isEmpty else { return }
        if !ExtensionPoint.all.contains(ExtensionPoint(point)) {
            let known = ExtensionPoint.all.map(\.rawValue).joined(separator: ", ")
            let shown = TextLimit.shown(point)
            let text =
                ExtensionPoint.near(point).map {
                    Message(
                        "app.unknown_point.did-you-mean",
                        "There is no extension point \(shown, "point"). Did you mean \($0, "near")?"
                    )
                }
                ?? Message(
                    "app.unknown_point",
                    "There is no extension point \(shown, "point"). Valid extension points: \(known, "known")."
                )
            reasons.add("app.unknown_point", field: "\(place)/point", text: text)
        } else if !seen.insert(point).inserted {
            reasons.add(
                "app.point_twice",
                field: "\(place)/point",
                text: Message(
                    "app.point_twice",
                    """
                    Two extensions use the extension point \(point, "point"), but Screen Time can call only \
                    one. Remove one of them.
                    """
                )
            )
        }
    }

    /// Checks the device model that the app's reports use for this computer.
    private mutating func checkModel(_ model: String) {
        guard !Self.models.contains(where: { $0.lowercased() == model.lowercased() }) else { return }
        let known = Self.models.joined(separator: ", ")
        reasons.add(
            "app.unknown_device_model",
            field: "/deviceModel",
            text: Message(
                "app.unknown_device_model",
                """
                There is no device model \(TextLimit.shown(model), "model"). Valid models for this computer: \
                \(known, "known").
                """
            )
        )
    }

    private mutating func checkVersion(_ version: Int64, _ place: String) {
        // A missing number was already reported.
        guard version != Self.protocolVersion, version != 0 else { return }
        reasons.add(
            "app.protocol_unsupported",
            field: "\(place)/protocol",
            text: Message(
                "app.protocol_unsupported",
                """
                The manifest specifies version \(version, "found") of the protocol, but this system uses \
                version \(Self.protocolVersion, "expected"). Rebuild the app with this version of the \
                frameworks.
                """
            )
        )
    }

    /// Checks the entitlements. `place` is empty for the app itself.
    private mutating func checkEntitlements(_ list: [String], _ place: String) {
        if !list.contains(where: Self.entitlements.contains) {
            reasons.add(
                "app.entitlement_missing",
                field: "\(place)/entitlements",
                text: place.isEmpty
                    ? Message(
                        "app.entitlement_missing",
                        "The app does not have the entitlement \(Self.entitlements[0], "entitlement")."
                    )
                    : Message(
                        "app.entitlement_missing.extension",
                        "The extension does not have the entitlement \(Self.entitlements[0], "entitlement")."
                    )
            )
        }
        if list.contains(Self.inventedEntitlement) {
            reasons.add(
                "app.unknown_entitlement",
                field: "\(place)/entitlements",
                text: Message(
                    "app.unknown_entitlement",
                    """
                    There is no entitlement \(Self.inventedEntitlement, "found"). An app needs only \
                    \(Self.entitlements[0], "entitlement").
                    """
                )
            )
        }
    }

    /// Returns the absolute path of an executable of the app: in its bundle, or else in the folder of programs.
    private mutating func find(_ name: String, _ place: String) -> String? {
        guard !name.isEmpty else { return nil }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let shown = TextLimit.shown(name)
        guard !name.hasPrefix("/"), !parts.contains(".."), !parts.contains("") else {
            reasons.add(
                "app.path_outside",
                field: place,
                text: Message(
                    "app.path_outside",
                    "The path of the executable \(shown, "name") is not inside the bundle."
                )
            )
            return nil
        }
        var fault: (code: String, text: Message)?
        for folder in [bundle, programs].compactMap(\.self) {
            switch Self.lookup(name, in: folder) {
            case .found(let path): return path
            case .missing: continue
            case .wrong(let code, let text): fault = fault ?? (code, text)
            }
        }
        if let fault {
            reasons.add(fault.code, field: place, text: fault.text)
            return nil
        }
        let text =
            if let programs {
                Message(
                    "app.executable_missing.in-both",
                    """
                    The executable \(shown, "name") is neither in \(bundle, "bundle") nor in \
                    \(programs, "programs").
                    """
                )
            } else {
                Message(
                    "app.executable_missing",
                    "The executable \(shown, "name") is not in \(bundle, "bundle")."
                )
            }
        reasons.add("app.executable_missing", field: place, text: text)
        return nil
    }

    private enum Found {
        case found(String)
        case missing
        case wrong(code: String, Message)
    }

    private static func lookup(_ name: String, in folder: String) -> Found {
        guard let real = DirectoryTree.real("\(folder)/\(name)") else { return .missing }
        let shown = TextLimit.shown(name)
        guard real.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            return .wrong(
                code: "app.path_outside",
                Message(
                    "app.path_outside.is-a-link",
                    """
                    The executable \(shown, "name") is a link to \(real, "target"), which is outside \
                    \(folder, "folder").
                    """
                )
            )
        }
        var info = stat()
        guard stat(real, &info) == 0 else { return .missing }
        guard info.st_mode & S_IFMT == S_IFREG else {
            return .wrong(
                code: "app.executable_no_file",
                Message("app.executable_no_file", "The executable \(shown, "name") is not a file.")
            )
        }
        guard access(real, X_OK) == 0, info.st_mode & 0o111 != 0 else {
            return .wrong(
                code: "app.executable_not_executable",
                Message(
                    "app.executable_not_executable",
                    "The file \(shown, "name") is not executable. Run `chmod +x \(real, "path")`."
                )
            )
        }
        return .found(real)
    }

    private static func folder(_ path: String, field: String, what: Message) throws -> String {
        guard path.hasPrefix("/"), path.utf8.count < Int(PATH_MAX), !path.utf8.contains(0) else {
            throw Problem("app.bad_folder", "\(what, "what") must be an absolute path.", field: field)
        }
        var info = stat()
        guard let real = DirectoryTree.real(path), stat(real, &info) == 0, info.st_mode & S_IFMT == S_IFDIR
        else {
            throw Problem(
                "app.no_folder",
                """
                \(what, "what") \(TextLimit.shown(path), "path") does not exist, is not a folder, or cannot \
                be opened.
                """,
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
                """
                \(path, "path") cannot be read: \(SystemError.text(errno), "errno"). An app is a folder \
                with a manifest.json.
                """,
                field: "/bundle"
            )
        }
        // Reading a pipe could block forever.
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw Problem(
                "app.no_manifest",
                "\(path, "path") is not a file.",
                key: "app.no_manifest.is-not-a",
                field: "/bundle"
            )
        }
        guard info.st_size <= ManifestReader.fileBytesMax else {
            throw Problem(
                "app.manifest_too_large",
                "\(path, "path") is larger than \(ManifestReader.fileBytesMax >> 10, "bytes") KiB.",
                field: "/bundle"
            )
        }
        return try AtomicFile.read(path, limitBytes: ManifestReader.fileBytesMax)
    }
}

/// All faults of an app, so that its developer sees them together.
struct InstallReasons {
    private static let namedMax = 20

    private struct Reason {
        var code: String
        var field: String
        var text: Message
    }

    private var reasons: [Reason] = []

    mutating func add(_ code: String, field: String, text: Message) {
        reasons.append(Reason(code: code, field: field, text: text))
    }

    /// Returns one problem. A single reason keeps its own code, and several become a list.
    func problem(_ bundle: String) -> Problem? {
        guard let first = reasons.first else { return nil }
        let help = "screentime app install --help"
        guard reasons.count > 1 else {
            return Problem(first.code, text: first.text, field: first.field, help: help)
        }
        let named = reasons.prefix(Self.namedMax)
        var details: [String: String] = [:]
        for (index, reason) in named.enumerated() {
            let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
            details["\(number) \(reason.code)"] = "\(reason.text.english) (\(reason.field))"
        }
        let lines = named.map { "\n- \($0.text.english) (\($0.field))" }.joined()
        let rest = reasons.count - named.count
        let more =
            rest > 0
            ? Message(
                "app.refused.more",
                count: rest,
                one: "\n- and \(rest, "count") more.",
                other: "\n- and \(rest, "count") more."
            ) : Message(verbatim: "")
        return Problem(
            "app.refused",
            """
            \(bundle, "bundle") cannot be installed, for \(reasons.count, "count") reasons:\(lines, "lines")\(more, "more")
            """,
            help: help,
            details: details
        )
    }
}

extension ExtensionPoint {
    /// Returns the extension point that a wrong identifier probably means.
    fileprivate static func near(_ text: String) -> ExtensionPoint? {
        if let same = all.first(where: { $0.rawValue.lowercased() == text.lowercased() }) { return same }
        if let near = TextFormat.closest(to: text, in: all.map(\.rawValue)) { return ExtensionPoint(near) }
        // Developers remember the last part best, and confuse the frameworks before it.
        let tails = all.map { tail(of: $0.rawValue) }
        guard let near = TextFormat.closest(to: tail(of: text), in: tails) else { return nil }
        return tails.firstIndex(of: near).map { all[$0] }
    }

    private static func tail(of text: String) -> String {
        text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    }
}
