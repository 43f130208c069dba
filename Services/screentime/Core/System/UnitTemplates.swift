import Glibc
import STContracts
package import STPlatform

/// The units of `deploy/systemd` with the values of one system.
package struct UnitTemplates: Sendable {
    /// These services access or start other programs, which a sandbox would prevent.
    private static let unconfined: [ServiceName] = [.desktop, .monitor, .shield]
    private static let templateBytesMax = 64 * 1024

    private let folder: String
    /// The values of the templates, with paths in the syntax of units.
    private let paths: [String: String]
    /// True if the services run under a separate account for the whole computer. False if they belong to a person's account.
    private let isProtected: Bool

    package init(_ places: SystemPlaces, environment: [String: String]) throws(Problem) {
        folder = try Self.folder(near: places.binaries)
        isProtected = false
        let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
        paths = [
            "BINARIES": try Self.escaped(places.binaries),
            // A specifier instead of the path, so that the unit still works after the directory is recreated.
            "RUN": !runtime.isEmpty && places.directories.run == runtime + "/screentime"
                ? "%t/screentime" : try Self.escaped(places.directories.run),
            "STATE": try Self.escaped(places.directories.state),
            "CONFIG": try Self.escaped(places.directories.config),
        ]
    }

    /// Creates the units of Debian's package, for every account or for a protected computer.
    package init(packagedFrom binaries: String, isProtected: Bool) throws(Problem) {
        folder = try Self.folder(near: binaries)
        self.isProtected = isProtected
        let core = Directories.protected
        paths =
            isProtected
            ? [
                "BINARIES": UserUnits.shippedBinaries, "RUN": core.run, "STATE": core.state,
                "CONFIG": core.config,
            ]
            : [
                "BINARIES": UserUnits.shippedBinaries, "RUN": "%t/screentime",
                "STATE": "%h/.local/state/screentime", "CONFIG": "%h/.config/screentime/config",
            ]
    }

    /// Returns the target, and a service and two sockets for each name. A protected computer also has a door for each account.
    package func files() throws(Problem) -> [UnitFile] {
        let names = isProtected ? ServiceName.ofComputer : ServiceName.all
        let service = try read("service.in")
        let sandbox = try read(isProtected ? "protected.in" : "sandbox.in")
        let thaw = try read("thaw.in")
        let network = try read("network.in")
        let owner = isProtected ? try read("protected.socket.in") : ""
        let rpc = try read("rpc.socket.in") + owner
        let events = try read("events.socket.in") + owner
        var values = paths
        values["WANTEDBY"] = isProtected ? "multi-user.target" : "default.target"
        values["CONDITION"] =
            isProtected
            ? "# The computer has one of these."
            : "# There the services are the computer's own.\nConditionPathExists=!\(Directories.runOfAccounts)/%U"
        values["SERVICES"] = (names + ServiceName.ofHousehold).map { "screentime-\($0).service" }
            .joined(separator: " ")
        var result = [
            UnitFile(name: UserUnits.target, text: Self.fill(try read("screentime.target.in"), values))
        ]
        for name in names + ServiceName.ofHousehold {
            values["NAME"] = name.rawValue
            values["PURPOSE"] = Catalogue.entry(name)?.purpose ?? name.rawValue
            let isConfined = isProtected || !Self.unconfined.contains(name)
            let isOfHousehold = ServiceName.ofHousehold.contains(name)
            let text =
                service + (isConfined ? sandbox : "") + (isOfHousehold ? network : "")
                + (name == .desktop ? thaw : "")
            let own = isOfHousehold ? wanted(name, values) : values
            result.append(UnitFile(name: "screentime-\(name).service", text: Self.fill(text, own)))
            result.append(UnitFile(name: "screentime-\(name)-rpc.socket", text: Self.fill(rpc, values)))
            result.append(UnitFile(name: "screentime-\(name)-events.socket", text: Self.fill(events, values)))
        }
        guard isProtected else { return result }
        values["SANDBOX"] = Self.fill(sandbox, values)
        values["SOCKETS"] = names.flatMap { name in
            [Endpoint.rpc, .events].map {
                "ListenStream=\(Directories.runOfAccounts)/%i/\(name)/\($0.rawValue)"
            }
        }.joined(separator: "\n")
        for name in ["door.service", "door.socket", "hold.service", "hold.path"] {
            let file = "screentime-" + name.replacing(".", with: "@.")
            result.append(UnitFile(name: file, text: Self.fill(try read(name + ".in"), values)))
        }
        return result
    }

    /// Returns the values for a service that does not run on every machine. systemd skips it if its file is missing.
    private func wanted(_ service: ServiceName, _ values: [String: String]) -> [String: String] {
        var own = values
        own["CONDITION"] =
            "\(values["CONDITION"] ?? "")\n# Only where a person has asked for it.\nConditionPathExists="
            + "\(paths["STATE"] ?? "")/\(service).wanted"
        return own
    }

    /// Returns the unit that observes the screen in each account's session on a protected computer.
    package func agent() throws(Problem) -> UnitFile {
        UnitFile(name: ProtectedComputer.agent, text: Self.fill(try read("agent.service.in"), paths))
    }

    /// Replaces each `@KEY@` that has a value. Other uses of the sign, for example `@system-service`, are unchanged.
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

    /// Returns a path in the syntax of units. Throws for a path that units cannot contain.
    private static func escaped(_ path: String) throws(Problem) -> String {
        let isPlain = path.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !"\"'\\$".unicodeScalars.contains(scalar)
        }
        guard isPlain else {
            throw Problem(
                "system.bad_path",
                """
                A systemd unit cannot contain the path \(path, "path"). Use a path without spaces, quotes, \
                backslashes or dollar signs.
                """
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

    private static func folder(near binaries: String) throws(Problem) -> String {
        if let found = ProductFolder.find("systemd", with: "service.in", near: binaries) { return found }
        throw Problem(
            "system.no_templates",
            """
            The templates for the systemd units were not found near \(binaries, "binaries"). Copy the folder \
            deploy/systemd of the source tree to share/screentime/systemd beside bin.
            """
        )
    }
}

/// The name and the content of a file for systemd.
package struct UnitFile: Sendable, Equatable {
    package var name: String
    package var text: String
}
