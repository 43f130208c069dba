import Glibc
import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("Units for systemd")
struct UnitTests {
    private static let templates = BuiltTree.source("deploy/systemd")

    @Test("The option --print of enable shows the completed units and writes no file")
    func printed() throws {
        let system = try CommandSystem()

        let shown = try system.run("system", "enable", "--print")

        #expect(shown.status == .exited(0))
        var expected = ""
        for (name, text) in Self.filledIn(system) {
            expected += "# \(system.scratch.path)/.config/systemd/user/\(name)\n\(text)\n"
        }
        #expect(shown.output + "\n" == expected)
        #expect(access(system.scratch.file(".config"), F_OK) != 0)
    }

    /// Fills the templates by plain replacement, so that an error of either implementation is found.
    private static func filledIn(_ system: CommandSystem) -> [(String, String)] {
        let ofHousehold = ServiceName.ofHousehold.map(\.rawValue)
        let services = ServiceName.all.map(\.rawValue) + ofHousehold
        func text(_ template: String, _ name: String) -> String {
            var text = ScratchDirectory.text("\(templates)/\(template)")
            let values = [
                ("@NAME@", name), ("@RUN@", system.directories.run), ("@STATE@", system.directories.state),
                ("@CONFIG@", system.directories.config), ("@BINARIES@", resolved(BuiltTree.programs)),
                ("@PURPOSE@", Catalogue.entry(ServiceName(name))?.purpose ?? "?"),
                ("@WANTEDBY@", "default.target"),
                (
                    "@CONDITION@",
                    "# There the services are the computer's own.\nConditionPathExists=!/run/screentime/accounts/%U"
                ),
                ("@SERVICES@", services.map { "screentime-\($0).service" }.joined(separator: " ")),
            ]
            for (key, value) in values { text = replace(key, by: value, in: text) }
            return text
        }
        return [("screentime.target", text("screentime.target.in", ""))]
            + services.flatMap { name in
                let isOpen = ["desktop-agent", "monitor-runner", "shield-service"].contains(name)
                let other = "ConditionPathExists=!/run/screentime/accounts/%U"
                let asked =
                    "\n# Only where a person has asked for it.\nConditionPathExists=\(system.directories.state)/\(name).wanted"
                let service = text("service.in", name)
                return [
                    (
                        "screentime-\(name).service",
                        (ofHousehold.contains(name)
                            ? replace(other, by: other + asked, in: service) : service)
                            + (isOpen ? "" : text("sandbox.in", name))
                            + (ofHousehold.contains(name) ? text("network.in", name) : "")
                            + (name == "desktop-agent" ? text("thaw.in", name) : "")
                    ),
                    ("screentime-\(name)-rpc.socket", text("rpc.socket.in", name)),
                    ("screentime-\(name)-events.socket", text("events.socket.in", name)),
                ]
            }
    }

    private static func replace(_ key: String, by value: String, in text: String) -> String {
        var rest = Array(text.utf8)[...]
        let pattern = Array(key.utf8)
        var result: [UInt8] = []
        while !rest.isEmpty {
            if rest.starts(with: pattern) {
                result += Array(value.utf8)
                rest = rest.dropFirst(pattern.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    @Test("The units pass systemd-analyze verify without messages")
    func verified() throws {
        let system = try CommandSystem()
        let folder = try Self.write(try system.run("system", "enable", "--print").output, system.scratch)
        try Directories.prepare(system.scratch.file("runtime"))
        let names = try DirectoryTree.names(in: folder)
        #expect(names.count == 28)

        let check = try RunningCommand(
            "/usr/bin/systemd-analyze",
            ["--user", "verify"] + names.map { "\(folder)/\($0)" },
            environment: system.environment,
            outputPath: system.scratch.file("verify")
        )

        #expect(check.wait() == .exited(0))
        #expect(check.output == "", "what systemd said")
    }

    /// Splits the printed units again.
    private static func write(_ text: String, _ scratch: ScratchDirectory) throws -> String {
        let folder = scratch.file("units")
        try Directories.prepare(folder)
        var units: [(name: String, lines: [Substring])] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# /"), let slash = line.lastIndex(of: "/") {
                units.append((String(line[line.index(after: slash)...]), []))
            } else if !units.isEmpty {
                units[units.count - 1].lines.append(line)
            }
        }
        for unit in units {
            try scratch.write(
                unit.lines.joined(separator: "\n") + "\n",
                to: "units/" + unit.name,
                mode: 0o644
            )
        }
        return folder
    }

    @Test("Signs in a template that are not keys stay unchanged")
    func signs() {
        let filled = UnitTemplates.fill("@A@@A@ @system-service @B@ a@b @A", ["A": "x@y", "B": ""])

        #expect(filled == "x@yx@y @system-service  a@b @A")
    }

    @Test("The command enable writes the units and starts the target, and disable removes all of them")
    func enableAndDisable() throws {
        let system = try Self.withSystemctl("exit 0")
        let folder = system.scratch.file(".config/systemd/user")

        let enabled = try system.run("system", "enable")

        // The command asks for the state of every service, and this systemctl reports none.
        #expect(enabled.output.contains("Its units are in \(folder)"), "\(enabled.output)")
        #expect(try DirectoryTree.names(in: folder).count == 28)
        #expect(Self.calls(system).contains("--user --no-pager daemon-reload"))
        #expect(Self.calls(system).contains("--user --no-pager enable --now screentime.target"))

        try system.scratch.write("[Service]\n", to: ".config/systemd/user/screentime-older.service")
        try system.scratch.write("[Service]\n", to: ".config/systemd/user/other.service")
        let list =
            ScratchDirectory.text(system.directories.state + "/units")
            + "screentime-older.service\n../../../precious\n"
        try system.scratch.write(list, to: "state/units")
        try system.scratch.write("mine", to: "precious")

        let disabled = try system.run("system", "disable")

        #expect(disabled.status == .exited(0), "\(disabled.output)")
        #expect(try DirectoryTree.names(in: folder) == ["other.service"])
        #expect(access(system.directories.state + "/units", F_OK) != 0)
        #expect(ScratchDirectory.text(system.scratch.file("precious")) == "mine")
        #expect(Self.calls(system).contains("--user --no-pager disable --now screentime.target"))
    }

    @Test("The command down stops systemd's units and reports that they start again at the next login")
    func downOfUnits() throws {
        let system = try Self.withSystemctl("exit 0")
        _ = try system.run("system", "enable")

        let down = try system.run("system", "down")

        #expect(down.status == .exited(0), "\(down.output)")
        #expect(down.output.contains("again at the next login"))
        #expect(Self.calls(system).last == "--user --no-pager stop screentime.target")
    }

    @Test("If systemd refuses to enable the units, their files are removed")
    func refusedBySystemd() throws {
        let system = try Self.withSystemctl("case \"$*\" in *enable*) echo no such luck; exit 1;; esac")

        let enabled = try system.run("system", "enable")

        #expect(enabled.status == .exited(1))
        #expect(enabled.output.contains("no such luck"))
        #expect(try DirectoryTree.names(in: system.scratch.file(".config/systemd/user")) == [])
    }

    @Test("Without a user's systemd, enable suggests `system up --detach` and writes nothing")
    func noSystemd() throws {
        let system = try Self.withSystemctl("echo Failed to connect to bus; exit 1")

        let enabled = try system.run("system", "enable")

        #expect(enabled.status == .exited(1))
        #expect(enabled.output.contains("Failed to connect to bus"))
        #expect(enabled.output.contains("try: screentime system up --detach"))
        #expect(access(system.scratch.file(".config"), F_OK) != 0)
    }

    @Test("The command enable is refused while a system runs in the same directories")
    func refusedWhileUp() throws {
        let system = try Self.withSystemctl("exit 0")
        let up = try system.up("--only", "notifier")

        let enabled = try system.run("system", "enable")

        #expect(enabled.status == .exited(1))
        #expect(enabled.output.contains("Process \(up.process.pid) is running Screen Time"))
        #expect(access(system.scratch.file(".config"), F_OK) != 0)
    }

    // MARK: - A systemctl that writes down what it was asked

    private static func withSystemctl(_ script: String) throws -> CommandSystem {
        let system = try CommandSystem()
        try Directories.prepare(system.scratch.file("bin"))
        let text = "#!/bin/sh\necho \"$*\" >>\"$HOME/calls\"\n\(script)\n"
        try system.scratch.write(text, to: "bin/systemctl", mode: 0o700)
        return system
    }

    private static func calls(_ system: CommandSystem) -> [String] {
        ScratchDirectory.text(system.scratch.file("calls")).split(separator: "\n").map(String.init)
    }
}
