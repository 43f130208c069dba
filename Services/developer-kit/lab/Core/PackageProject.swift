import STCommandCore
import STContracts
import STPlatform

/// A Swift package. Its extensions are the targets that contain a class of a Screen Time extension.
struct PackageProject {
    private let folder: ProjectFolder
    private let path: String
    private let manifest: JSONValue

    init(_ path: String, in folder: ProjectFolder, _ environment: [String: String]) throws(Problem) {
        self.folder = folder
        self.path = path
        manifest = try LabModule.manifest(path.folder, environment)
    }

    func targets() -> (targets: [ProjectTarget], leftOut: [SkippedTarget]) {
        var targets: [ProjectTarget] = []
        var leftOut: [SkippedTarget] = []
        for target in LabModule.items(manifest["targets"]) {
            guard let name = target["name"]?.string, target["type"]?.string != "test" else { continue }
            do throws(Problem) { targets.append(try self.target(name, target)) } catch {
                leftOut.append(SkippedTarget(target: name, reason: error.text))
            }
        }
        return (targets, leftOut)
    }

    private func target(_ name: String, _ target: JSONValue) throws(Problem) -> ProjectTarget {
        let (base, files) = try LabModule.files(of: name, target, in: path.folder, of: folder)
        let scan = try LabExtension.scan(try LabExtension.sources(among: files), in: folder)
        let isExtension = LabExtension.ancestors.contains { !scan.descendants(of: $0.name).isEmpty }
        var settings = XcodeProject.defaults(base, project: manifest["name"]?.string ?? "", target: name)
        settings["PRODUCT_BUNDLE_IDENTIFIER"] = "app.\(name)"
        settings["SWIFT_VERSION"] = manifest["toolsVersion"]?["_version"]?.string ?? "5.0"
        if folder.has("\(base)/Info.plist") { settings["INFOPLIST_FILE"] = "Info.plist" }
        return ProjectTarget(
            name: name,
            kind: isExtension ? .extension : .library,
            settings: BuildSettings("\(path), target \(name)", settings),
            files: files,
            embeds: Set(LabModule.uses(target))
        )
    }
}
