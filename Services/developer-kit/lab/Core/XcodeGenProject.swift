import Glibc
import STCYaml
import STCommandCore
import STPlatform

/// A project description of XcodeGen, `project.yml`.
struct XcodeGenProject {

    private let folder: ProjectFolder
    private let path: String
    private let root: PropertyList

    init(_ path: String, in folder: ProjectFolder) throws(Problem) {
        self.folder = folder
        self.path = path
        root = try YamlReader.read(try folder.bytes(path), path)
        guard root["include"] == nil else {
            throw Problem(
                "lab.templates",
                """
                \(path, "path") includes other files, which `app new` does not read. Run `xcodegen`, and \
                name the project that it writes.
                """
            )
        }
    }

    func targets() -> (targets: [ProjectTarget], leftOut: [SkippedTarget]) {
        var targets: [ProjectTarget] = []
        var leftOut: [SkippedTarget] = []
        for (name, target) in (root["targets"]?.table ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let kind = XcodeProject.kinds[target["type"]?.text ?? ""] else { continue }
            do throws(Problem) {
                targets.append(try self.target(name, target: target, kind: kind))
            } catch {
                leftOut.append(SkippedTarget(target: name, reason: error.text))
            }
        }
        return (targets, leftOut)
    }

    private func target(_ name: String, target: PropertyList, kind: ProjectTarget.Kind) throws(Problem)
        -> ProjectTarget
    {
        if target["templates"] != nil {
            throw Problem(
                "lab.templates",
                """
                It uses templates, which `app new` does not read. Run `xcodegen`, and pass the generated \
                project to `app new`.
                """,
                key: "lab.templates.it-is-made"
            )
        }
        let dependencies = target["dependencies"]?.list ?? []
        var result = ProjectTarget(
            name: name,
            kind: kind,
            settings: try settings(name, target),
            files: kind == .app ? [] : try files(target),
            products: dependencies.compactMap(product),
            embeds: Set(dependencies.compactMap { $0["target"]?.text })
        )
        result.info = target["info"]?["properties"]?.table ?? [:]
        result.entitlements = target["entitlements"]?["properties"]?.table ?? [:]
        return result
    }

    private func product(_ dependency: PropertyList) -> ProjectTarget.Product? {
        guard let name = dependency["package"]?.text, let package = root["packages"]?[name] else {
            return nil
        }
        let product = dependency["product"]?.text ?? name
        if let path = package["path"]?.text {
            return .init(name: product, package: "\(self.path.folder)/\(path)", isLocal: true)
        }
        return .init(
            name: product,
            package: package["url"]?.text ?? package["github"]?.text ?? name,
            isLocal: false
        )
    }

    // MARK: - Settings

    private func settings(_ name: String, _ target: PropertyList) throws(Problem) -> BuildSettings {
        let base = path.folder
        var defaults = XcodeProject.defaults(base, project: root["name"]?.text ?? "", target: name)
        if let prefix = root["options"]?["bundleIdPrefix"]?.text {
            defaults["PRODUCT_BUNDLE_IDENTIFIER"] = "\(prefix).\(name)"
        }
        // XcodeGen may generate these files, so a missing file is not an error.
        for (setting, key) in ["INFOPLIST_FILE": "info", "CODE_SIGN_ENTITLEMENTS": "entitlements"] {
            if let file = target[key]?["path"]?.text, folder.has("\(base)/\(file)") {
                defaults[setting] = file
            }
        }
        var settings = BuildSettings("\(path), target \(name)", defaults)
        for owner in [root, target] {
            let files = owner["configFiles"]
            if let file = (files?["Debug"] ?? files?["debug"])?.text {
                settings.add(try BuildSettings.file("\(base)/\(file)", in: folder))
            }
            var groups: Set<String> = []
            add(owner["settings"], to: &settings, &groups)
        }
        return settings
    }

    /// Adds plain settings, or those under `groups`, `base` and `configs`. Each group is added once, even if it names itself.
    private func add(_ block: PropertyList?, to settings: inout BuildSettings, _ groups: inout Set<String>) {
        guard let block else { return }
        for group in block["groups"]?.texts ?? [] where groups.insert(group).inserted {
            add(root["settingGroups"]?[group], to: &settings, &groups)
        }
        let named = ["groups", "base", "configs"]
        settings.add(block.table.filter { !named.contains($0.key) })
        settings.add(block["base"]?.table ?? [:])
        let configs = block["configs"]
        settings.add((configs?["Debug"] ?? configs?["debug"])?.table ?? [:])
    }

    // MARK: - Files

    private func files(_ target: PropertyList) throws(Problem) -> [String] {
        let sources = target["sources"]
        var files: [String] = []
        for source in sources?.text.map({ [.text($0)] }) ?? sources?.list ?? [] {
            guard let own = source.text ?? source["path"]?.text else { continue }
            let place = try folder.path("\(path.folder)/\(own)")
            let all = try folder.files(at: place)
            func matches(_ file: String, _ patterns: [String]) -> Bool {
                let name = String(file.dropFirst(place.count + 1))
                return patterns.contains { pattern in
                    // `Folder` excludes everything in it, and `**/X` matches X at any depth.
                    name == pattern || name.hasPrefix(pattern + "/")
                        || fnmatch(pattern, name, FNM_PATHNAME) == 0
                        || pattern.hasPrefix("**/")
                            && fnmatch(String(pattern.dropFirst(3)), file.file, 0) == 0
                }
            }
            let excludes = source["excludes"]?.texts ?? []
            let includes = source["includes"]?.texts ?? []
            files += all.filter { !matches($0, excludes) && (includes.isEmpty || matches($0, includes)) }
        }
        return files
    }
}

/// Reads YAML with libyaml, as the values of a property list. Anchors are rejected, because a few lines of them can expand to
/// gigabytes.
enum YamlReader {
    static func read(_ bytes: [UInt8], _ path: String) throws(Problem) -> PropertyList {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { throw SystemError.last("yaml_parser_initialize") }
        defer { yaml_parser_delete(&parser) }
        let result = bytes.withUnsafeBufferPointer { buffer in
            withUnsafeMutablePointer(to: &parser) { parser in
                yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
                return Result { () throws(Problem) in try YamlEvents(parser: parser, path: path).document() }
            }
        }
        return try result.get()
    }
}

/// Reads the events of a parser in order.
private struct YamlEvents {
    let parser: UnsafeMutablePointer<yaml_parser_t>
    let path: String

    /// An event with its value.
    private enum Event {
        case start, end, sequence, mapping, close
        case scalar(String)
        /// A scalar without quotation marks, which may be a number.
        case plain(String)
    }

    func document() throws(Problem) -> PropertyList {
        while true {
            switch try next() {
            case .start: continue
            case .end: return .table([:])
            case let event: return try value(event, 0)
            }
        }
    }

    private func value(_ event: Event, _ depth: Int) throws(Problem) -> PropertyList {
        guard depth < PropertyList.depthMax else { throw wrong("it is nested too deeply") }
        switch event {
        case .scalar(let text): return .text(text)
        case .plain(let text): return Self.plain(text)
        case .sequence:
            var items: [PropertyList] = []
            while true {
                let event = try next()
                if case .close = event { return .list(items) }
                items.append(try value(event, depth + 1))
            }
        case .mapping:
            var entries: [String: PropertyList] = [:]
            while true {
                let event = try next()
                if case .close = event { return .table(entries) }
                switch event {
                case .scalar(let key), .plain(let key): entries[key] = try value(try next(), depth + 1)
                default: throw wrong("a key is no text")
                }
            }
        case .start, .end, .close: throw wrong("it ends too early")
        }
    }

    private func next() throws(Problem) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            throw wrong(parser.pointee.problem.map { String(cString: $0) } ?? "it is no YAML")
        }
        defer { yaml_event_delete(&event) }
        switch event.type {
        case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: return .start
        case YAML_STREAM_END_EVENT, YAML_DOCUMENT_END_EVENT: return .end
        case YAML_SEQUENCE_START_EVENT: return .sequence
        case YAML_MAPPING_START_EVENT: return .mapping
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .close
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = String(decoding: bytes, as: UTF8.self)
            return scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain(text) : .scalar(text)
        default: throw wrong("anchors are not read; write out what they stand for")
        }
    }

    private static func plain(_ text: String) -> PropertyList {
        switch text.lowercased() {
        case "true", "yes": .flag(true)
        case "false", "no": .flag(false)
        case _ where Int64(text) != nil: .scalar("integer", text)
        default: .text(text)
        }
    }

    private func wrong(_ what: String) -> Problem {
        Problem(
            "lab.bad_file",
            "\(path, "path"), line \(parser.pointee.mark.line + 1, "line"): \(what, "what").",
            key: "lab.bad_file.line"
        )
    }
}
