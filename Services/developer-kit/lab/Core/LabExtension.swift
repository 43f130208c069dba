import STCommandCore
import STContracts
import STPlatform

/// A Screen Time extension of a project, with everything that its package needs.
struct LabExtension: Sendable {
    /// The kinds of extensions, each with the class of Apple's API that it inherits from.
    static let ancestors: [(point: ExtensionPoint, name: String, module: String)] = [
        (.monitor, "DeviceActivityMonitor", "DeviceActivity"),
        (.shieldConfiguration, "ShieldConfigurationDataSource", "ManagedSettingsUI"),
        (.shieldAction, "ShieldActionDelegate", "ManagedSettings"),
        (.report, "DeviceActivityReportExtension", "DeviceActivity"),
    ]
    /// Xcode's settings that each enable Swift features: one feature each, and one setting for five features.
    private static let features: [String: [String]] = [
        "SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY": ["MemberImportVisibility"],
        "SWIFT_UPCOMING_FEATURE_EXISTENTIAL_ANY": ["ExistentialAny"],
        "SWIFT_UPCOMING_FEATURE_INTERNAL_IMPORTS_BY_DEFAULT": ["InternalImportsByDefault"],
        "SWIFT_UPCOMING_FEATURE_NONISOLATED_NONSENDING_BY_DEFAULT": ["NonisolatedNonsendingByDefault"],
        "SWIFT_UPCOMING_FEATURE_INFER_SENDABLE_FROM_CAPTURES": ["InferSendableFromCaptures"],
        "SWIFT_UPCOMING_FEATURE_GLOBAL_ACTOR_ISOLATED_TYPES_USABILITY": ["GlobalActorIsolatedTypesUsability"],
        "SWIFT_UPCOMING_FEATURE_INFER_ISOLATED_CONFORMANCES": ["InferIsolatedConformances"],
        "SWIFT_APPROACHABLE_CONCURRENCY": [
            "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferIsolatedConformances",
            "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
        ],
    ]

    let name: String
    private(set) var module: String
    let point: ExtensionPoint
    /// The class that the host creates. `nil` for an extension marked with `@main`.
    let principal: String?
    let sources: [String]
    let resources: [String]
    /// The `Info.plist` as Xcode would write it to the product.
    let info: PropertyList
    let groups: Set<String>
    let imports: Set<String>
    /// The imports without those that depend on `canImport`.
    let certain: Set<String>
    /// True if Xcode also generates the names of assets on the types themselves, for example `Color.brand`.
    let hasSymbols: Bool
    let products: [ProjectTarget.Product]
    let languageMode: String
    let isMainActor: Bool
    let enabled: [String]
    let defines: [String]
    /// The activities and events that the code names.
    let activities: Set<String>
    let events: Set<String>
    /// The keys of the defaults that the code reads, each with the type it reads.
    let reads: [String: String]
    let hasSecondaryButton: Bool
    let macros: Set<String>
    /// Notes for a person about an extension that was built.
    private(set) var notes: [Message] = []
    /// The other modules that the extension is built with.
    private(set) var uses: [String] = []

    var bundleIdentifier: String { info["CFBundleIdentifier"]?.text ?? "" }

    /// Reads a target. It throws the reason if the target is not a Screen Time extension.
    init(_ target: ProjectTarget, in folder: ProjectFolder) throws(Problem) {
        let settings = target.settings
        name = target.name
        module = try settings["PRODUCT_MODULE_NAME"].asIdentifier
        let all = Set(target.files).sorted()
        let files = all.filter(folder.has)
        sources = try Self.sources(among: files)
        let info = try Self.info(of: target, in: folder)
        self.info = info
        let kept = ["entitlements", "swift", "h", "md", "xcconfig", "intentdefinition"]
        let path = try settings["INFOPLIST_FILE"]
        let list = path.isEmpty ? "" : try folder.path(Self.rooted(path, settings))
        let foreign = files.filter { ["m", "mm", "c", "cpp", "metal"].contains($0.ending) }
        resources = files.filter {
            !kept.contains($0.ending) && !foreign.contains($0) && $0 != list
        }
        let scan = try Self.scan(sources, in: folder)
        imports = scan.imports
        certain = scan.certain
        hasSymbols = try settings.isOn("ASSETCATALOG_COMPILER_GENERATE_SWIFT_ASSET_SYMBOL_EXTENSIONS")
        reads = scan.reads
        hasSecondaryButton = scan.hasSecondaryButton
        macros = scan.macros
        activities = scan.names["DeviceActivityName"] ?? []
        events = scan.names["DeviceActivityEvent.Name"] ?? []
        (point, principal) = try Self.kind(scan, info: info, notes: &notes)
        guard !sources.isEmpty else {
            throw Problem("lab.no_sources", "It has no Swift files.")
        }
        if !foreign.isEmpty {
            notes.append(
                Message(
                    "lab.only-swift",
                    "Only Swift files are compiled. Left out: \(foreign.map(\.file).joined(separator: ", "), "files")."
                )
            )
        }
        if all.count > files.count {
            let missing = all.filter { !files.contains($0) }.map(\.file).joined(separator: ", ")
            notes.append(
                Message("lab.missing-files", "Left out because they do not exist: \(missing, "files").")
            )
        }
        groups = try Self.groups(of: target, scan, info, in: folder)
        products = target.products
        let version = try settings["SWIFT_VERSION"]
        languageMode = version.hasPrefix("6") ? "v6" : "v5"
        isMainActor = try settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor"
        var enabled: Set<String> = []
        for (setting, names) in Self.features where try settings.isOn(setting) { enabled.formUnion(names) }
        self.enabled = enabled.sorted()
        let flags = try settings.words("OTHER_SWIFT_FLAGS")
        let conditions = try settings.words("SWIFT_ACTIVE_COMPILATION_CONDITIONS")
        let flagged = zip(flags, flags.dropFirst()).filter { $0.0 == "-D" }.map(\.1)
        let joined = flags.filter { $0.hasPrefix("-D") && $0.count > 2 }.map { String($0.dropFirst(2)) }
        // A debug build already defines `DEBUG`.
        defines = Set(conditions + flagged + joined).subtracting(["DEBUG"]).sorted()
    }

    /// Renames the module if another one has the same name. Xcode builds each module separately.
    mutating func rename(besides others: [String]) {
        var number = 2
        let plain = module
        while others.contains(module) {
            module = "\(plain)\(number)"
            number += 1
        }
    }

    /// Sets the modules of the extension: those of the project, empty ones for unavailable modules of Apple, and stand-ins.
    mutating func use(_ modules: [LabModule], strangers: [LabModule], standIns: [LabModule]) {
        uses = (modules + strangers + standIns).map(\.name)
        if !standIns.isEmpty {
            notes.append(
                Message(
                    "lab.stand-ins",
                    """
                    Replaced with stubs that only log each call: \
                    \(standIns.map(\.name).joined(separator: ", "), "modules").
                    """
                )
            )
        }
        guard !strangers.isEmpty else { return }
        notes.append(
            Message(
                "lab.empty-modules",
                """
                Replaced with empty modules, so only the import compiles: \
                \(strangers.map(\.name).joined(separator: ", "), "modules").
                """
            )
        )
    }

    static func scan(_ sources: [String], in folder: ProjectFolder) throws(Problem) -> SourceScan {
        var scan = SourceScan()
        var bytes = 0
        for source in sources {
            let text = try folder.bytes(source)
            bytes += text.count
            guard bytes <= PropertyList.bytesMax else {
                throw Problem(
                    "lab.too_large",
                    "Its sources are larger than \(TextFormat.bytes(Int64(PropertyList.bytesMax)), "bytes")."
                )
            }
            scan.add(text)
        }
        return scan
    }

    /// Returns the Swift files. As in Xcode, two files in one module cannot have the same name.
    static func sources(among files: [String]) throws(Problem) -> [String] {
        let sources = files.filter { $0.ending == "swift" }
        var names: Set<String> = []
        if let twice = sources.first(where: { !names.insert($0.file).inserted }) {
            throw Problem(
                "lab.same_name",
                "It has two files named \(twice.file, "file"). Give one of them another name."
            )
        }
        return sources
    }

    /// Returns the path of a setting. A relative path starts at the project's folder.
    private static func rooted(_ path: String, _ settings: BuildSettings) throws(Problem) -> String {
        path.hasPrefix("/") ? path : "\(try settings["SRCROOT"])/\(path)"
    }

    // MARK: - Kind

    /// Returns the kind of the extension according to its superclass, because that class runs. The Info.plist is used only for
    /// kinds without a class.
    private static func kind(
        _ scan: SourceScan,
        info: PropertyList,
        notes: inout [Message]
    ) throws(Problem) -> (ExtensionPoint, String?) {
        let extensionKit = info["EXAppExtensionAttributes"]?["EXExtensionPointIdentifier"]?.text
        let said = extensionKit ?? info["NSExtension"]?["NSExtensionPointIdentifier"]?.text
        let claimed = said.map { ExtensionPoint($0) }
        let found = ancestors.compactMap { kind -> (ExtensionPoint, [String])? in
            let classes = scan.descendants(of: kind.name)
            return classes.isEmpty ? nil : (kind.point, classes)
        }
        guard let (point, classes) = found.first(where: { $0.0 == claimed }) ?? found.first else {
            guard let claimed, ExtensionPoint.all.contains(claimed) else {
                throw Problem(
                    "lab.other_kind",
                    text: said.map {
                        Message("lab.other_kind", "It is not a Screen Time extension but \($0, "kind").")
                    }
                        ?? Message(
                            "lab.other_kind.an-unknown-one",
                            "It is not a Screen Time extension, and its kind is unknown."
                        )
                )
            }
            let wanted = ancestors.first { $0.point == claimed }?.name ?? ""
            throw Problem(
                "lab.no_class",
                "None of its files has a class that inherits from \(wanted, "wanted")."
            )
        }
        if let said, claimed != point {
            notes.append(
                Message(
                    "lab.other-point",
                    """
                    Its Info.plist names \(said, "kind"), but its class belongs to \(point, "point"). Screen \
                    Time uses the class.
                    """
                )
            )
        }
        if point == .report {
            guard scan.hasMain else {
                throw Problem(
                    "lab.no_class",
                    "\(classes[0], "classes") is not marked with @main, so nothing starts it.",
                    key: "lab.no_class.is-not-marked"
                )
            }
            return (point, nil)
        }
        let principal = info["NSExtension"]?["NSExtensionPrincipalClass"]?.text?.split(separator: ".").last
        return (point, classes.first { principal == $0[...] } ?? classes[0])
    }

    // MARK: - Property lists

    /// Returns the Info.plist with expanded settings, and with the values that Xcode adds.
    private static func info(of target: ProjectTarget, in folder: ProjectFolder) throws(Problem)
        -> PropertyList
    {
        let settings = target.settings
        var info: [String: PropertyList] = [:]
        for (key, setting) in [
            "CFBundleIdentifier": "PRODUCT_BUNDLE_IDENTIFIER", "CFBundleName": "PRODUCT_NAME",
            "CFBundleExecutable": "EXECUTABLE_NAME", "CFBundleShortVersionString": "MARKETING_VERSION",
            "CFBundleVersion": "CURRENT_PROJECT_VERSION", "CFBundleDevelopmentRegion": "DEVELOPMENT_LANGUAGE",
            "CFBundleDisplayName": "INFOPLIST_KEY_CFBundleDisplayName",
        ] {
            let value = try settings[setting]
            if !value.isEmpty { info[key] = .text(value) }
        }
        let said = try list("INFOPLIST_FILE", more: target.info, settings: settings, in: folder)
        return .table(info.merging(said) { $1 })
    }

    /// Returns the property list that a setting names, merged with the values of the project, with expanded settings.
    private static func list(
        _ setting: String,
        more: [String: PropertyList],
        settings: BuildSettings,
        in folder: ProjectFolder
    ) throws(Problem) -> [String: PropertyList] {
        // XcodeGen writes the values of the project over those of the file.
        var list: [String: PropertyList] = [:]
        let path = try settings[setting]
        if !path.isEmpty {
            let place = try rooted(path, settings)
            list = try PropertyList.parse(try folder.bytes(place), place).table
        }
        list.merge(more) { $1 }
        return try PropertyList.table(list).mapped { text throws(Problem) in try settings.expanded(text) }
            .table
    }

    /// Returns the groups in the entitlements, in the code and in the Info.plist.
    private static func groups(
        of target: ProjectTarget,
        _ scan: SourceScan,
        _ info: PropertyList,
        in folder: ProjectFolder
    ) throws(Problem) -> Set<String> {
        let entitlements = try list(
            "CODE_SIGN_ENTITLEMENTS",
            more: target.entitlements,
            settings: target.settings,
            in: folder
        )
        var groups = scan.literals.union(entitlements["com.apple.security.application-groups"]?.texts ?? [])
        groups.formUnion(info.table.values.compactMap(\.text))
        return groups.filter { group in
            group.hasPrefix("group.") && group.count > 6
                && group.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        }
    }
}
