import Glibc
import STContracts
import STPlatform

/// A browser that can report the foreground site.
struct Browser: Sendable {
    enum Family: Sendable, Equatable {
        case firefox
        /// A browser of the Chromium family, with its settings folder below the person's configuration folder.
        case chromium(String)
    }

    let id: String
    let name: String
    let programs: [String]
    let flatpak: String
    let family: Family

    static let all = [
        Browser(
            id: "firefox",
            name: "Firefox",
            programs: ["firefox-esr", "firefox"],
            flatpak: "org.mozilla.firefox",
            family: .firefox
        ),
        Browser(
            id: "chromium",
            name: "Chromium",
            programs: ["chromium"],
            flatpak: "org.chromium.Chromium",
            family: .chromium("chromium")
        ),
        Browser(
            id: "chrome",
            name: "Google Chrome",
            programs: ["google-chrome", "google-chrome-stable"],
            flatpak: "com.google.Chrome",
            family: .chromium("google-chrome")
        ),
        Browser(
            id: "brave",
            name: "Brave",
            programs: ["brave-browser"],
            flatpak: "com.brave.Browser",
            family: .chromium("BraveSoftware/Brave-Browser")
        ),
        Browser(
            id: "edge",
            name: "Microsoft Edge",
            programs: ["microsoft-edge", "microsoft-edge-stable"],
            flatpak: "com.microsoft.Edge",
            family: .chromium("microsoft-edge")
        ),
        Browser(
            id: "vivaldi",
            name: "Vivaldi",
            programs: ["vivaldi", "vivaldi-stable"],
            flatpak: "com.vivaldi.Vivaldi",
            family: .chromium("vivaldi")
        ),
    ]
}

/// The files with which a browser of this account loads the extension and starts browser-host.
struct BrowserIntegration {
    private static let hostName = "dev.screentime.browser"
    /// A text in the file that `enable` writes last. It contains the version that a browser uses.
    private static let description = "Screen Time \(Version.text)"
    private static let firefoxID = "sites@screentime.dev"
    private static let packTimeout: Duration = .seconds(60)
    private static let textBytesMax = 4 << 20
    /// The end of each line that Screen Time adds to a profile's settings.
    private static let mark = "// Screen Time"
    /// Firefox keeps the last values of these settings, so `disable` must write the default values.
    private static let acceptsUnsigned = [
        "user_pref(\"xpinstall.signatures.required\", false);",
        "user_pref(\"extensions.autoDisableScopes\", 0);",
    ]
    private static let usual = [
        "user_pref(\"xpinstall.signatures.required\", true);",
        "user_pref(\"extensions.autoDisableScopes\", 15);",
    ]

    private let home: String
    private let configHome: String
    private let places: SystemPlaces
    private let environment: [String: String]

    init(_ invocation: Invocation) throws {
        environment = invocation.environment
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Problem(
                "path.no_home",
                "HOME is not set, so Screen Time cannot find the folders of your browsers. Set HOME, and try again.",
                key: "path.no_home.home-is-not"
            )
        }
        self.home = home
        let configured = environment["XDG_CONFIG_HOME"] ?? ""
        configHome = configured.hasPrefix("/") ? configured : home + "/.config"
        places = try SystemPlaces(invocation)
    }

    // MARK: - State of browsers

    func program(of browser: Browser) -> String? {
        browser.programs.lazy.compactMap { ProgramRun.path(of: $0, environment: environment) }
            .first { !Self.isSnap($0) }
    }

    /// Returns the reason why an installed browser cannot be used. Returns `nil` if the browser is not installed as a snap or
    /// Flatpak.
    func unreachable(_ browser: Browser) -> Message? {
        let snap = browser.programs.first {
            ProgramRun.path(of: $0, environment: environment).map(Self.isSnap) ?? false
        }
        let flatpak = ["/var/lib/flatpak", home + "/.local/share/flatpak"].first {
            FileTree.exists("\($0)/exports/bin/\(browser.flatpak)")
        }
        guard snap != nil || flatpak != nil else { return nil }
        return snap == nil
            ? Message("browser.is-a-flatpak", "it is a Flatpak, which cannot start programs on this computer")
            : Message("browser.is-a-snap", "it is a snap, which cannot start programs on this computer")
    }

    func isEnabled(_ browser: Browser) -> Bool { FileTree.exists(hostManifest(of: browser)) }

    /// True if another version of Screen Time enabled the browser.
    func isOld(_ browser: Browser) -> Bool {
        isEnabled(browser)
            && ProcFile.text(hostManifest(of: browser), limit: Self.textBytesMax)?.contains(Self.description)
                != true
    }

    private static func isSnap(_ program: String) -> Bool {
        program.hasPrefix("/snap/")
            || ProcFile.text(program, limit: 64 * 1024)?.contains("/snap/bin/") == true
    }

    /// Returns a note about a rule for sites while no browser of this account reports the foreground site, or `nil`.
    static func blindSpotNote(_ rule: RuleSpec, _ invocation: Invocation) -> String? {
        let things = rule.targets + (rule.opens ?? [])
        guard things.contains(where: { $0.kind == .domain }), let parts = try? BrowserIntegration(invocation),
            !parts.places.isMarkedDemo, !Browser.all.contains(where: parts.isEnabled)
        else { return nil }
        let browser = Browser.all.first { parts.program(of: $0) != nil }?.id ?? "chromium"
        let line = ProblemText.asTyped("screentime browser enable \(browser)")
        return Speech.say(
            "system.no-browser-of-this",
            """
            No browser of this account reports the foreground site yet, so Screen Time does not detect \
            sites. To change this: \(line, "line")
            """
        )
    }

    // MARK: - Enable and disable

    func enable(_ browser: Browser, program: String) throws {
        try unpack()
        switch browser.family {
        case .firefox:
            let profiles = try firefoxProfiles()
            guard !profiles.isEmpty else {
                throw Problem(
                    "browser.no_profile",
                    "Firefox has not been started in this account yet. Start it once, close it, and try again.",
                    help: "screentime browser enable firefox --unsigned"
                )
            }
            for profile in profiles {
                try FileTree.makeFolder(profile + "/extensions")
                let bytes = try AtomicFile.read(folder + "/extension.xpi", limitBytes: Self.textBytesMax)
                try AtomicFile.write(bytes, to: "\(profile)/extensions/\(Self.firefoxID).xpi", mode: 0o600)
                try Self.reconcile(profile + "/user.js", Self.acceptsUnsigned)
            }
            try writeHost(browser, key: "allowed_extensions", extensionID: Self.firefoxID)
        case .chromium:
            let id = try pack(program)
            let value: JSONValue = [
                "external_crx": .string(folder + "/extension.crx"),
                "external_version": .string(try version()),
            ]
            try write(value, to: external(of: browser, id))
            try writeHost(browser, key: "allowed_origins", extensionID: "chrome-extension://\(id)/")
        }
    }

    func disable(_ browser: Browser) throws {
        switch browser.family {
        case .firefox:
            for profile in try firefoxProfiles() {
                try DirectoryTree.remove("\(profile)/extensions/\(Self.firefoxID).xpi")
                try Self.reconcile(profile + "/user.js", Self.usual)
            }
        case .chromium:
            if let id = try? crxID() { try DirectoryTree.remove(external(of: browser, id)) }
        }
        try DirectoryTree.remove(hostManifest(of: browser))
    }

    // MARK: - Files that browsers start

    /// The folder of the extension and of the script that browsers start.
    private var folder: String { places.directories.state + "/browser" }

    private func unpack() throws {
        try Directories.prepare(places.directories.state)
        try Directories.prepare(folder)
        let program = places.binaries + "/browser-host"
        let run = try ProgramRun.run(
            program,
            ["--unpack", folder + "/extension"],
            environment: environment,
            timeout: Self.packTimeout
        )
        guard run.status == .exited(0) else {
            throw Problem(
                "browser.not_unpacked",
                "\(program, "program") failed: \(run.output.prefix(300), "output")"
            )
        }
        // Browsers start programs with their own environment, which may lack these variables.
        let script =
            "#!/bin/sh\nSCREENTIME_RUN=\(ShellText.quote(places.directories.run)) "
            + "SCREENTIME_STATE=\(ShellText.quote(places.directories.state)) exec \(ShellText.quote(program)) \"$@\"\n"
        try AtomicFile.write(Array(script.utf8), to: folder + "/host", mode: 0o755)
    }

    private func hostManifest(of browser: Browser) -> String {
        switch browser.family {
        // Also if the profiles are in ~/.config.
        case .firefox: "\(home)/.mozilla/native-messaging-hosts/\(Self.hostName).json"
        case .chromium(let settings):
            "\(configHome)/\(settings)/NativeMessagingHosts/\(Self.hostName).json"
        }
    }

    private func writeHost(_ browser: Browser, key: String, extensionID: String) throws {
        let value: JSONValue = [
            "name": .string(Self.hostName), "description": .string(Self.description),
            "path": .string(folder + "/host"),
            "type": "stdio", key: [.string(extensionID)],
        ]
        try write(value, to: hostManifest(of: browser))
    }

    private func write(_ value: JSONValue, to path: String) throws {
        try FileTree.makeFolder(FileTree.parent(of: path))
        try AtomicFile.write(Array((JSONOutput.pretty(value) + "\n").utf8), to: path, mode: 0o644)
    }

    // MARK: - Firefox

    /// Returns the folders of this account's profiles. Newer versions of Firefox have them in ~/.config.
    private func firefoxProfiles() throws -> [String] {
        [home + "/.mozilla/firefox", configHome + "/mozilla/firefox"].flatMap { root in
            let lines = (ProcFile.text(root + "/profiles.ini", limit: Self.textBytesMax) ?? "")
                .split(separator: "\n")
            return lines.compactMap { line -> String? in
                guard line.hasPrefix("Path=") else { return nil }
                let path = String(line.dropFirst(5))
                let profile = path.hasPrefix("/") ? path : "\(root)/\(path)"
                return FileTree.exists(profile) ? profile : nil
            }
        }
    }

    /// Replaces Screen Time's lines in a file. All other lines of the person's file are unchanged.
    static func reconcile(_ path: String, _ ours: [String]) throws {
        let bytes = FileTree.exists(path) ? try AtomicFile.read(path, limitBytes: textBytesMax) : []
        let newline = UInt8(ascii: "\n")
        var lines = bytes.split(separator: newline, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        lines.removeAll { $0.suffix(mark.utf8.count).elementsEqual(mark.utf8) }
        lines += ours.map { Array("\($0) \(mark)".utf8) }
        try AtomicFile.write(lines.flatMap { $0 + [newline] }, to: path, mode: 0o600)
    }

    // MARK: - Chromium

    private func external(of browser: Browser, _ id: String) -> String {
        guard case .chromium(let settings) = browser.family else { return "" }
        return "\(configHome)/\(settings)/External Extensions/\(id).json"
    }

    private func version() throws -> String {
        let manifest = try JSONOutput.value(
            try AtomicFile.read(folder + "/extension/manifest.json", limitBytes: Self.textBytesMax)
        )
        guard case .object(let members) = manifest, case .string(let version)? = members["version"] else {
            return ""
        }
        return version
    }

    /// Has the browser pack and sign the extension. The extension's id depends on the key, so the key is kept.
    private func pack(_ program: String) throws -> String {
        let key = folder + "/extension.pem"
        // A separate profile, because the browser may be running.
        let profile = folder + "/packing"
        defer { try? DirectoryTree.remove(profile) }
        try DirectoryTree.remove(folder + "/extension.crx")
        let run = try ProgramRun.run(
            program,
            ["--headless", "--disable-gpu", "--user-data-dir=" + profile]
                // Chromium's sandbox does not run as root.
                + (geteuid() == 0 ? ["--no-sandbox"] : [])
                + ["--pack-extension=\(folder)/extension"]
                + (FileTree.exists(key) ? ["--pack-extension-key=" + key] : []),
            environment: environment.merging(["HOME": profile, "XDG_CONFIG_HOME": profile]) { $1 },
            timeout: Self.packTimeout
        )
        guard FileTree.exists(folder + "/extension.crx") else {
            throw Problem(
                "browser.not_packed",
                """
                \(program, "program") did not pack the extension: \
                \(DisplayWidth.sanitized(String(run.output.suffix(300))), "output")
                """,
                retryable: true
            )
        }
        return try crxID()
    }

    /// Returns the id of the packed extension. It follows the tag and the lengths of the signed data in the header.
    private func crxID() throws -> String {
        let bytes = try AtomicFile.read(folder + "/extension.crx", limitBytes: Self.textBytesMax)
        let tag: [UInt8] = [0x82, 0xF1, 0x04, 0x12, 0x0A, 0x10]
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: tag) }),
            bytes.count >= place + tag.count + 16
        else {
            throw Problem(
                "browser.not_packed",
                "The browser did not write a valid packed extension to \(folder, "folder")/extension.crx.",
                key: "browser.not_packed.extension-crx-is"
            )
        }
        var letters: [UInt8] = []
        for byte in bytes[(place + tag.count)...].prefix(16) {
            letters.append(UInt8(ascii: "a") + byte >> 4)
            letters.append(UInt8(ascii: "a") + byte & 0x0F)
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
