import Glibc
import STCommandCore
import STPlatform

/// A project description of Tuist, `Project.swift`.
///
/// The file is parsed and not run. String literals, lists, calls and constants are supported. Results of the project's own
/// functions are not.
struct TuistProject {
    private let folder: ProjectFolder
    private let path: String
    private let root: PropertyList

    /// Returns true if a `Project.swift` is a project of Tuist.
    static func isOne(_ path: String, in folder: ProjectFolder) -> Bool {
        var scan = SourceScan()
        scan.add((try? folder.bytes(path)) ?? [])
        return scan.imports.contains("ProjectDescription")
    }

    init(_ path: String, in folder: ProjectFolder) throws(Problem) {
        self.folder = folder
        self.path = path
        root = try SwiftLiterals(try folder.bytes(path), path).call("Project")
    }

    func targets() -> (targets: [ProjectTarget], leftOut: [SkippedTarget]) {
        var targets: [ProjectTarget] = []
        var leftOut: [SkippedTarget] = []
        for target in root["targets"]?.list ?? [] {
            let name = target["name"]?.text ?? ""
            guard let kind = Self.kinds[target["product"]?[SwiftLiterals.member]?.text ?? ""], !name.isEmpty
            else { continue }
            do throws(Problem) {
                targets.append(try self.target(name, target: target, kind: kind))
            } catch {
                leftOut.append(SkippedTarget(target: name, reason: error.text))
            }
        }
        return (targets, leftOut)
    }

    private static let kinds: [String: ProjectTarget.Kind] = [
        "app": .app, "appExtension": .extension, "extensionKitExtension": .extension, "framework": .library,
        "staticFramework": .library, "staticLibrary": .library, "dynamicLibrary": .library,
    ]

    private func target(_ name: String, target: PropertyList, kind: ProjectTarget.Kind) throws(Problem)
        -> ProjectTarget
    {
        var defaults = XcodeProject.defaults(path.folder, project: root["name"]?.text ?? "", target: name)
        defaults["PRODUCT_BUNDLE_IDENTIFIER"] = target["bundleId"]?.text
        for (setting, key) in ["INFOPLIST_FILE": "infoPlist", "CODE_SIGN_ENTITLEMENTS": "entitlements"] {
            let list = target[key]
            if let file = list?.text ?? list?["path"]?.text, folder.has("\(path.folder)/\(file)") {
                defaults[setting] = file
            }
        }
        var settings = BuildSettings("\(path), target \(name)", defaults)
        for owner in [root, target] { settings.add(owner["settings"]?["base"]?.table ?? [:]) }
        let uses = target["dependencies"]?.list ?? []
        var result = ProjectTarget(
            name: name,
            kind: kind,
            settings: settings,
            files: kind == .app ? [] : try files(target),
            products: uses.compactMap(product),
            embeds: Set(
                uses.compactMap { $0[SwiftLiterals.member]?.text == "target" ? $0["name"]?.text : nil }
            )
        )
        result.info = Self.list(target["infoPlist"])
        result.entitlements = Self.list(target["entitlements"])
        return result
    }

    /// Returns the settings of `.extendingDefault(with: […])` or `.dictionary([…])`, whose values may be `.string("…")`.
    private static func list(_ value: PropertyList?) -> [String: PropertyList] {
        func plain(_ value: PropertyList) -> PropertyList {
            if value[SwiftLiterals.member] != nil, let first = value["0"] { return plain(first) }
            if value[SwiftLiterals.member] != nil { return .text("") }
            switch value {
            case .list(let items): return .list(items.map(plain))
            case .table(let items): return .table(items.mapValues(plain))
            default: return value
            }
        }
        return (value?["with"] ?? value?["0"]).map(plain)?.table ?? [:]
    }

    private func product(_ use: PropertyList) -> ProjectTarget.Product? {
        guard ["external", "package"].contains(use[SwiftLiterals.member]?.text),
            let name = use["name"]?.text ?? use["product"]?.text
        else { return nil }
        let local = (root["packages"]?.list ?? []).compactMap { $0["path"]?.text }
        guard use["product"] != nil, !local.isEmpty else {
            return .init(name: name, package: name, isLocal: false)
        }
        return .init(name: name, package: local.count == 1 ? "\(path.folder)/\(local[0])" : "", isLocal: true)
    }

    private func files(_ target: PropertyList) throws(Problem) -> [String] {
        var files: Set<String> = []
        for key in ["sources", "resources", "buildableFolders"] {
            let value = target[key]
            for entry in value?.text.map({ [.text($0)] }) ?? value?.list ?? [] {
                // Examples: `.glob("X/**", excluding: […])`, `.folderReference(path: "…")`.
                guard let own = entry.text ?? (entry["0"] ?? entry["path"] ?? entry["pattern"])?.text else {
                    continue
                }
                let excluded = entry["excluding"]?.text.map { [$0] } ?? entry["excluding"]?.texts ?? []
                let all = try self.files(own)
                files.formUnion(all.filter { file in !excluded.contains { matches(file, $0) } })
            }
        }
        return files.sorted()
    }

    /// Returns the files that match a pattern. The search starts at the deepest folder without a wildcard.
    private func files(_ pattern: String) throws(Problem) -> [String] {
        let start = pattern.split(separator: "/").prefix { part in !part.contains(where: "*?[{".contains) }
        let place = try folder.path("\(path.folder)/\(start.joined(separator: "/"))")
        let all = try folder.files(at: place)
        return start.joined(separator: "/") == pattern ? all : all.filter { matches($0, pattern) }
    }

    private func matches(_ file: String, _ pattern: String) -> Bool {
        Self.matches(
            file.dropFirst(path.folder.count + 1).split(separator: "/")[...],
            pattern.split(separator: "/")[...]
        )
    }

    /// Compares the components of a path with a pattern. `**` matches any number of folders, including none.
    private static func matches(_ name: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == "**" {
            return pattern.count == 1 && !name.isEmpty
                || name.indices.contains { matches(name[$0...], pattern.dropFirst()) }
        }
        guard let own = name.first, fnmatch(String(first), String(own), 0) == 0 else { return false }
        return matches(name.dropFirst(), pattern.dropFirst())
    }
}

/// The literal values in a Swift file: the arguments of calls by their labels.
///
/// A call or member becomes a table with the key `member`, the labels, and `0`, `1` and so on for arguments without a label.
struct SwiftLiterals {
    static let member = "member"
    private static let stepsMax = 200_000

    private let words: [Substring]
    /// The positions of the values of `let name = …`.
    private let constants: [Substring: Int]
    private let path: String
    private var position = 0
    private var steps = 0

    init(_ source: [UInt8], _ path: String) {
        let words = SourceScan.words(source)
        self.words = words
        self.path = path
        var constants: [Substring: Int] = [:]
        for index in words.indices.dropLast() where words[index] == "let" {
            // There may be a type before the equals sign.
            guard let sign = words[(index + 2)...].prefix(8).firstIndex(of: "=") else { continue }
            constants[words[index + 1]] = constants[words[index + 1]] ?? sign + 1
        }
        self.constants = constants
    }

    /// Returns the arguments of the first call of `name`.
    func call(_ name: String) throws(Problem) -> PropertyList {
        guard let start = words.indices.first(where: { words[$0] == name && word(after: $0) == "(" }) else {
            throw Problem(
                "lab.bad_file",
                "\(path, "path") contains no call to \(name, "name")(…).",
                key: "lab.bad_file.makes-no-that"
            )
        }
        var reader = self
        reader.position = start
        return try reader.value(0)
    }

    private func word(after index: Int) -> Substring? { index + 1 < words.count ? words[index + 1] : nil }

    private var next: Substring? { position < words.count ? words[position] : nil }

    private mutating func consume() -> Substring? {
        defer { position += 1 }
        return next
    }

    private mutating func skip(_ word: Substring) -> Bool {
        guard next == word else { return false }
        position += 1
        return true
    }

    private mutating func value(_ depth: Int) throws(Problem) -> PropertyList {
        var value = try part(depth)
        // Example: `["A/**"] + others`.
        guard next == "+" else { return value }
        var list = value.list
        while skip("+") { list += try part(depth).list }
        value = .list(list)
        return value
    }

    private mutating func part(_ depth: Int) throws(Problem) -> PropertyList {
        steps += 1
        guard depth < PropertyList.depthMax, steps < Self.stepsMax else {
            throw Problem(
                "lab.bad_file",
                "\(path, "path") is nested too deeply.",
                key: "lab.bad_file.is-nested-too"
            )
        }
        guard let word = consume() else {
            throw Problem(
                "lab.bad_file",
                "\(path, "path") ends too early.",
                key: "lab.bad_file.ends-too-early"
            )
        }
        switch word {
        case _ where word.first == "\"": return .text(String(word.dropFirst()))
        case "[": return try items(depth)
        case "true", "false": return .flag(word == "true")
        case ".": return try called(consume().map(String.init) ?? "", depth)
        case _ where word.first?.isNumber == true: return .scalar("integer", String(word))
        default:
            var name = String(word)
            while skip(".") { name = consume().map(String.init) ?? "" }
            if next == "(" { return try called(name, depth) }
            return try constant(name, depth)
        }
    }

    private mutating func constant(_ name: String, _ depth: Int) throws(Problem) -> PropertyList {
        guard let start = constants[name[...]] else { return .table([Self.member: .text(name)]) }
        let before = position
        position = start
        let value = try value(depth + 1)
        position = before
        return value
    }

    private mutating func called(_ name: String, _ depth: Int) throws(Problem) -> PropertyList {
        var entries: [String: PropertyList] = [Self.member: .text(name)]
        guard skip("(") else { return .table(entries) }
        var count = 0
        while next != nil, !skip(")") {
            var label = "\(count)"
            if word(after: position) == ":", let own = consume() {
                label = String(own)
                position += 1
            } else {
                count += 1
            }
            entries[label] = try value(depth + 1)
            if !skip(","), next != ")" { skipRest() }
        }
        return .table(entries)
    }

    /// Returns a list, or a table if the items have keys.
    private mutating func items(_ depth: Int) throws(Problem) -> PropertyList {
        var list: [PropertyList] = []
        var entries: [String: PropertyList] = [:]
        var isTable = skip(":")
        while next != nil, !skip("]") {
            let value = try value(depth + 1)
            if skip(":") {
                isTable = true
                entries[value.text ?? ""] = try self.value(depth + 1)
            } else {
                list.append(value)
            }
            if !skip(","), next != "]" { skipRest() }
        }
        return isTable ? .table(entries) : .list(list)
    }

    /// Skips the rest of an unsupported expression.
    private mutating func skipRest() {
        var open = 0
        while let word = next {
            steps += 1
            if open == 0, [",", ")", "]"].contains(word) {
                _ = skip(",")
                return
            }
            if ["(", "[", "{"].contains(word) { open += 1 }
            if [")", "]", "}"].contains(word) { open -= 1 }
            position += 1
        }
    }
}
