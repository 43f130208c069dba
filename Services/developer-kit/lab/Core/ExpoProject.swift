import STCommandCore
import STContracts
import STPlatform

/// The targets of an Expo app. Each is a folder in `targets` with an `expo-target.config.js`.
struct ExpoProject {
    static let file = "expo-target.config.js"

    private let folder: ProjectFolder
    /// The folder of the app.
    private let base: String
    private let app: JSONValue?

    /// Reads the project of a target's file.
    init(_ path: String, in folder: ProjectFolder) throws(Problem) {
        self.folder = folder
        base = path.folder.folder.folder
        let file = "\(base)/app.json"
        app = folder.has(file) ? (try? JSONValue(text: try folder.bytes(file)))?["expo"] : nil
    }

    func targets() throws(Problem) -> (targets: [ProjectTarget], leftOut: [SkippedTarget]) {
        var targets: [ProjectTarget] = []
        var leftOut: [SkippedTarget] = []
        for path in try folder.files(at: "\(base)/targets") where path.file == Self.file {
            do throws(Problem) { targets.append(try target(path)) } catch {
                leftOut.append(SkippedTarget(target: path.folder.file, reason: error.text))
            }
        }
        let name = app?["name"]?.string ?? base.file
        var settings = XcodeProject.defaults(base, project: name, target: name)
        settings["PRODUCT_BUNDLE_IDENTIFIER"] = id
        settings["MARKETING_VERSION"] = app?["version"]?.string ?? "1.0"
        targets.append(
            ProjectTarget(
                name: name,
                kind: .app,
                settings: BuildSettings("\(base)/app.json", settings),
                files: [],
                embeds: Set(targets.map(\.name))
            )
        )
        return (targets, leftOut)
    }

    private var id: String {
        app?["ios"]?["bundleIdentifier"]?.string ?? "app.\((app?["slug"]?.string ?? base.file).asIdentifier)"
    }

    private func target(_ path: String) throws(Problem) -> ProjectTarget {
        let said = ScriptScan(try folder.bytes(path))
        let name = said["name"] ?? path.folder.file
        var settings = XcodeProject.defaults(path.folder, project: base.file, target: name)
        let own = said["bundleIdentifier"] ?? ".\(name.asIdentifier)"
        settings["PRODUCT_BUNDLE_IDENTIFIER"] = own.hasPrefix(".") ? id + own : own
        if folder.has("\(path.folder)/Info.plist") { settings["INFOPLIST_FILE"] = "Info.plist" }
        // The files in the shared folders belong to all targets. Scripts belong to none.
        var files = try folder.files(at: path.folder)
        for shared in ["\(base)/targets/_shared", "\(base)/targets/shared"] where folder.has(shared) {
            files += try folder.files(at: shared)
        }
        var result = ProjectTarget(
            name: name,
            kind: .extension,
            settings: BuildSettings("\(path), target \(name)", settings),
            files: files.filter { !["js", "ts", "json"].contains($0.ending) }
        )
        let groups =
            said.groups.isEmpty
            ? app?["ios"]?["entitlements"]?["com.apple.security.application-groups"]?.texts ?? []
            : said.groups
        result.entitlements = ["com.apple.security.application-groups": .list(groups.map { .text($0) })]
        return result
    }
}

extension JSONValue {
    fileprivate var texts: [String] {
        guard case .array(let items) = self else { return [] }
        return items.compactMap(\.string)
    }
}

/// The string literals in a script, for example `type: "shield-action"`.
private struct ScriptScan {
    private var values: [String: String] = [:]
    private(set) var groups: [String] = []

    init(_ source: [UInt8]) {
        // JavaScript has several kinds of quotation marks, but `SourceScan` supports only one.
        let source = source.map {
            $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "`") ? UInt8(ascii: "\"") : $0
        }
        let words = SourceScan.words(source)
        for (index, word) in words.enumerated() where word.first == "\"" {
            let text = String(word.dropFirst())
            if text.hasPrefix("group."), !groups.contains(text) { groups.append(text) }
            guard index > 1, words[index - 1] == ":" else { continue }
            let key = words[index - 2].first == "\"" ? words[index - 2].dropFirst() : words[index - 2]
            values[String(key)] = values[String(key)] ?? text
        }
    }

    subscript(key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }
}
