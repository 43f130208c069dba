import STCommandCore
import STPlatform

/// A target, as described by a project of Xcode, XcodeGen, Tuist, Expo or SwiftPM.
struct ProjectTarget: Sendable {
    /// A product of a package that the target links.
    struct Product: Sendable {
        var name: String
        /// The folder of a local package, or the address of one from elsewhere.
        var package: String
        var isLocal: Bool
    }

    /// The role of a target. The lab reads only the identity of an app. It compiles a library with the extensions that use it.
    enum Kind: Sendable {
        case app, library, `extension`
    }

    var name: String
    var kind: Kind
    var settings: BuildSettings
    /// The absolute paths of sources and resources. Empty for an app.
    var files: [String]
    var products: [Product] = []
    /// The names of the targets that this target depends on.
    var embeds: Set<String> = []
    /// The values in the project in addition to the files of its settings.
    var info: [String: PropertyList] = [:]
    var entitlements: [String: PropertyList] = [:]
}

/// A target that is not built, with the reason.
struct SkippedTarget: Sendable, Equatable {
    var target: String
    var reason: Message
}

/// Xcode's project file, `project.pbxproj`.
struct XcodeProject {
    private static let groupsMax = 64
    private static let product = "com.apple.product-type."
    /// The supported types of products, with their kind. XcodeGen uses the same names.
    static let kinds: [String: ProjectTarget.Kind] = [
        "application": .app, "app-extension": .extension, "extensionkit-extension": .extension,
        "framework": .library, "framework.static": .library, "library.static": .library,
        "library.dynamic": .library,
    ]

    private let folder: ProjectFolder
    private let path: String
    private let objects: [String: PropertyList]
    private let project: PropertyList
    /// The paths of each file and group in the tree. A group of languages has several paths.
    private var paths: [String: [String]] = [:]

    init(_ xcodeproj: String, in folder: ProjectFolder) throws(Problem) {
        self.folder = folder
        path = "\(xcodeproj)/project.pbxproj"
        let root = try PropertyList.parse(try folder.bytes(path), path)
        objects = root["objects"]?.table ?? [:]
        guard let id = root["rootObject"]?.text, let project = objects[id] else {
            throw Problem(
                "lab.bad_file",
                "\(path, "path") has no project: its rootObject is missing.",
                key: "lab.bad_file.has-no-project"
            )
        }
        self.project = project
        var base = xcodeproj.folder
        if let more = project["projectDirPath"]?.text, !more.isEmpty { base += "/\(more)" }
        if let main = project["mainGroup"]?.text { try place(id: main, in: base, base: base, depth: 0) }
    }

    private func object(_ id: PropertyList?) -> PropertyList? { id?.text.flatMap { objects[$0] } }

    private func objects(_ ids: PropertyList?) -> [PropertyList] {
        ids?.texts.compactMap { objects[$0] } ?? []
    }

    // MARK: - Paths

    /// Stores the paths of a group and of its content.
    private mutating func place(id: String, in parent: String, base: String, depth: Int) throws(Problem) {
        guard depth < Self.groupsMax else {
            throw Problem(
                "lab.bad_file",
                "\(path, "path"): its groups are nested too deeply, at \(id, "id").",
                key: "lab.bad_file.its-groups-are"
            )
        }
        // Store each path once, even if several groups contain it.
        guard paths[id] == nil, let object = objects[id] else { return }
        let own = object["path"]?.text
        let path: String
        switch object["sourceTree"]?.text ?? "<group>" {
        case "<group>": path = own.map { "\(parent)/\($0)" } ?? parent
        case "SOURCE_ROOT": path = own.map { "\(base)/\($0)" } ?? base
        case "<absolute>": path = own ?? ""
        // Frameworks and products are not part of the project's folder.
        default: return
        }
        let children = object["children"]?.texts ?? []
        for child in children { try place(id: child, in: path, base: base, depth: depth + 1) }
        paths[id] =
            object["isa"]?.text == "PBXVariantGroup"
            ? Set(children.flatMap { paths[$0] ?? [] }).sorted() : [path]
    }

    // MARK: - Targets

    /// Returns the apps, libraries and extensions, and the targets that cannot be read.
    func targets() -> (targets: [ProjectTarget], leftOut: [SkippedTarget]) {
        var targets: [ProjectTarget] = []
        var leftOut: [SkippedTarget] = []
        for id in project["targets"]?.texts ?? [] {
            guard let object = objects[id], let type = object["productType"]?.text,
                type.hasPrefix(Self.product),
                let kind = Self.kinds[String(type.dropFirst(Self.product.count))],
                let name = object["name"]?.text
            else { continue }
            do throws(Problem) {
                targets.append(try target(id: id, object: object, name: name, kind: kind))
            } catch {
                leftOut.append(SkippedTarget(target: name, reason: error.text))
            }
        }
        return (targets, leftOut)
    }

    private func target(
        id: String,
        object: PropertyList,
        name: String,
        kind: ProjectTarget.Kind
    ) throws(Problem) -> ProjectTarget {
        ProjectTarget(
            name: name,
            kind: kind,
            settings: try settings(object, name),
            files: kind == .app ? [] : try files(of: id, object),
            products: objects(object["packageProductDependencies"]).compactMap(product),
            embeds: Set(
                objects(object["dependencies"]).compactMap { self.object($0["target"])?["name"]?.text }
            )
        )
    }

    private func product(_ use: PropertyList) -> ProjectTarget.Product? {
        guard let name = use["productName"]?.text else { return nil }
        let package = object(use["package"])
        if let address = package?["repositoryURL"]?.text {
            return .init(name: name, package: address, isLocal: false)
        }
        // A product without a package belongs to a package in the project's folders.
        let folder = (package?["relativePath"]?.text).map { "\(path.folder.folder)/\($0)" }
        return .init(name: name, package: folder ?? "", isLocal: true)
    }

    // MARK: - Settings

    private func settings(_ target: PropertyList, _ name: String) throws(Problem) -> BuildSettings {
        let base = path.folder.folder
        var settings = BuildSettings(
            "\(path), target \(name)",
            Self.defaults(base, project: path.folder, target: name)
        )
        for owner in [project, target] {
            guard let configuration = configuration(of: owner) else { continue }
            if let file = file(of: configuration) {
                settings.add(try BuildSettings.file(file, in: folder))
            }
            settings.add(configuration["buildSettings"]?.table ?? [:])
        }
        return settings
    }

    /// Returns Xcode's defaults, which are not in the project.
    static func defaults(_ base: String, project: String, target: String) -> [String: String] {
        [
            "SRCROOT": base, "PROJECT_DIR": base, "SOURCE_ROOT": base,
            "PROJECT_NAME": String(
                project.file.dropLast(project.ending.isEmpty ? 0 : project.ending.count + 1)
            ),
            "TARGET_NAME": target,
            "PRODUCT_NAME": "$(TARGET_NAME)", "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
            "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)", "CONFIGURATION": "Debug",
            "DEVELOPMENT_LANGUAGE": "en", "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1",
            "PLATFORM_NAME": "iphoneos", "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!", "SWIFT_VERSION": "5.0",
            "TARGETNAME": target,
        ]
    }

    /// Returns the debug configuration, or the first one.
    private func configuration(of owner: PropertyList) -> PropertyList? {
        let all = objects(object(owner["buildConfigurationList"])?["buildConfigurations"])
        return all.first { $0["name"]?.text == "Debug" }
            ?? all.first { $0["name"]?.text?.lowercased().contains("debug") == true } ?? all.first
    }

    private func file(of configuration: PropertyList) -> String? {
        if let id = configuration["baseConfigurationReference"]?.text { return paths[id]?.first }
        guard let anchor = configuration["baseConfigurationReferenceAnchor"]?.text,
            let rest = configuration["baseConfigurationReferenceRelativePath"]?.text,
            let path = paths[anchor]?.first
        else { return nil }
        return "\(path)/\(rest)"
    }

    // MARK: - Files

    private func files(of id: String, _ target: PropertyList) throws(Problem) -> [String] {
        var files: [String] = []
        for phase in objects(target["buildPhases"]) {
            let kind = phase["isa"]?.text
            guard kind == "PBXSourcesBuildPhase" || kind == "PBXResourcesBuildPhase" else { continue }
            let references = Set(objects(phase["files"]).compactMap { $0["fileRef"]?.text })
            for path in Set(references.flatMap { paths[$0] ?? [] }) { files += try folder.files(at: path) }
        }
        let own = Set(target["fileSystemSynchronizedGroups"]?.texts ?? [])
        for (group, object) in objects where object["isa"]?.text == "PBXFileSystemSynchronizedRootGroup" {
            guard let path = paths[group]?.first else { continue }
            let listed = try self.listed(object, for: id, path)
            // If the group belongs to the target, the list contains the excluded files. Otherwise it contains the included ones.
            if own.contains(group) {
                files += try folder.files(at: path).filter { !listed.contains($0) }
            } else {
                files += listed.sorted()
            }
        }
        return files
    }

    /// Returns the files that a synchronized group lists as exceptions for a target.
    private func listed(_ group: PropertyList, for target: String, _ path: String) throws(Problem)
        -> Set<String>
    {
        let localized = "/Localized: "
        var listed: Set<String> = []
        let sets = objects(group["exceptions"]).filter { $0["target"]?.text == target }
        let names = Set(sets.flatMap { $0["membershipExceptions"]?.texts ?? [] })
        let all = names.contains { $0.hasPrefix(localized) } ? try folder.files(at: path) : []
        for name in names {
            guard name.hasPrefix(localized) else {
                listed.formUnion(try folder.files(at: "\(path)/\(name)"))
                continue
            }
            // `Folder/Name.strings` means the file of that name in each language's folder inside the folder.
            let own = String(name.dropFirst(localized.count))
            let within = try folder.path(own.contains("/") ? "\(path)/\(own.folder)" : path)
            listed.formUnion(
                all.filter {
                    $0.file == own.file && $0.folder.ending == "lproj" && $0.folder.folder == within
                }
            )
        }
        return listed
    }
}
