import Glibc
import STContracts
package import STPlatform

/// The units of `deploy/systemd`, filled in for one system.
package struct UnitTemplates: Sendable {
    /// They touch or start other programs, which a sandbox would forbid.
    private static let unconfined: [ServiceName] = [.desktop, .monitor, .shield]
    private static let templateBytesMax = 64 * 1024
    /// From a build folder up to the source tree.
    private static let parentsMax = 6

    private let folder: String
    /// Of the whole system, as units write it.
    private let paths: [String: String]

    package init(_ places: SystemPlaces, environment: [String: String]) throws(Problem) {
        folder = try Self.folder(near: places.binaries)
        let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
        paths = [
            "BINARIES": try Self.escaped(places.binaries),
            // The specifier rather than the path: the unit still works when the directory is made again.
            "RUN": !runtime.isEmpty && places.directories.run == runtime + "/screentime"
                ? "%t/screentime" : try Self.escaped(places.directories.run),
            "STATE": try Self.escaped(places.directories.state),
            "CONFIG": try Self.escaped(places.directories.config),
        ]
    }

    /// For every account, as Debian's package has them.
    package init(packagedFrom binaries: String) throws(Problem) {
        folder = try Self.folder(near: binaries)
        paths = [
            "BINARIES": UserUnits.shippedBinaries, "RUN": "%t/screentime",
            "STATE": "%h/.local/state/screentime", "CONFIG": "%h/.config/screentime/config",
        ]
    }

    /// The target, and a service and two sockets for each name.
    package func files() throws(Problem) -> [UnitFile] {
        let target = try read("screentime.target.in")
        let service = try read("service.in")
        let sandbox = try read("sandbox.in")
        let thaw = try read("thaw.in")
        let rpc = try read("rpc.socket.in")
        let events = try read("events.socket.in")
        let wanted = ServiceName.all.map { "screentime-\($0).service" }.joined(separator: " ")
        var result = [
            UnitFile(name: UserUnits.target, text: Self.fill(target, ["SERVICES": wanted]))
        ]
        for name in ServiceName.all {
            let values = paths.merging([
                "NAME": name.rawValue, "PURPOSE": Catalogue.entry(name)?.purpose ?? name.rawValue,
            ]) { $1 }
            let text =
                service + (Self.unconfined.contains(name) ? "" : sandbox) + (name == .desktop ? thaw : "")
            result.append(UnitFile(name: "screentime-\(name).service", text: Self.fill(text, values)))
            result.append(UnitFile(name: "screentime-\(name)-rpc.socket", text: Self.fill(rpc, values)))
            result.append(UnitFile(name: "screentime-\(name)-events.socket", text: Self.fill(events, values)))
        }
        return result
    }

    /// Replaces each `@KEY@` that has a value; other uses of the sign, such as `@system-service`, stay.
    package static func fill(_ template: String, _ values: [String: String]) -> String {
        var parts = template.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        var result = parts.removeFirst()
        var isAfterValue = false
        while !parts.isEmpty {
            let part = parts.removeFirst()
            if !isAfterValue, !parts.isEmpty, let value = values[part] {
                result += value
                isAfterValue = true
            } else {
                result += (isAfterValue ? "" : "@") + part
                isAfterValue = false
            }
        }
        return result
    }

    /// A path as units write it, or a refusal of what they cannot write everywhere.
    private static func escaped(_ path: String) throws(Problem) -> String {
        let isPlain = path.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !"\"'\\$".unicodeScalars.contains(scalar)
        }
        guard isPlain else {
            throw Problem(
                "system.bad_path",
                "A systemd unit cannot name \(path). Use a path without spaces, quotes, backslashes and dollar signs."
            )
        }
        return path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
    }

    private func read(_ name: String) throws(Problem) -> String {
        String(
            decoding: try AtomicFile.read("\(folder)/\(name)", limitBytes: Self.templateBytesMax),
            as: UTF8.self
        )
    }

    /// In a source tree above the build folder, or in `share` beside an installed `bin`.
    private static func folder(near binaries: String) throws(Problem) -> String {
        var tried: [String] = []
        var parent = binaries
        for depth in 0..<parentsMax {
            tried.append(parent + "/deploy/systemd")
            guard let slash = parent.lastIndex(of: "/") else { break }
            parent = String(parent[..<slash])
            if depth == 0 { tried.append(parent + "/share/screentime/systemd") }
        }
        if let found = tried.first(where: { access($0 + "/service.in", R_OK) == 0 }) { return found }
        throw Problem(
            "system.no_templates",
            "The templates of the systemd units are not near \(binaries). Install the folder deploy/systemd of the source "
                + "tree as share/screentime/systemd beside bin."
        )
    }
}

/// A file for systemd: its name, and all that is in it.
package struct UnitFile: Sendable, Equatable {
    package var name: String
    package var text: String
}
