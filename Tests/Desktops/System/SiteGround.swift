import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport

/// Real browsers on a display, and all sites: a proxy replies with a page for any name.
final class SiteGround {
    /// A browser that a test starts, as a person has it, except for settings that a machine without people needs.
    enum Browser: String, CaseIterable {
        case firefox
        case chromium

        /// The agent's name of the app.
        var app: String { self == .firefox ? "firefox-esr" : "chromium" }
        /// The modifier for the number of a tab.
        var tabKey: String { self == .firefox ? "alt" : "ctrl" }
        var windowClass: String { self == .firefox ? "firefox-esr" : "chromium" }
        var privateKeys: String { self == .firefox ? "ctrl+shift+p" : "ctrl+shift+n" }
    }

    /// Arguments for a Chromium without dialogs at its first start, also as root.
    static let plain = [
        "--no-sandbox", "--no-first-run", "--disable-gpu", "--password-store=basic",
        "--disable-features=HttpsUpgrades,HttpsFirstBalancedMode",
    ]

    static let proxy = #"""
        import http.server, time
        # A page says what is typed into it, whether it is covered, and whether its first frame can be seen.
        PAGE = """<!doctype html><title>%s</title><h1>%s</h1><textarea style=width:90vw;height:70vh;background:%s></textarea><script>
            const say = text => fetch('/?' + text), page = document.documentElement, body = document.body;
            document.querySelector('textarea').oninput = e => say('typed=' + e.target.value);
            new MutationObserver(() => say('covered=' + body.inert)).observe(body, {attributeFilter: ['inert']});
            requestAnimationFrame(() => say('frame=' + (body.inert || getComputedStyle(page).visibility == 'hidden')));
            </script>"""
        def colour(name):
            sum = 7
            for letter in name: sum = (sum * 31 + ord(letter)) % 0x1000000
            return '#%06x' % sum
        # One red page.
        PDF = b"""%PDF-1.1
        1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
        2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
        3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>endobj
        4 0 obj<</Length 27>>stream
        1 0 0 rg 0 0 600 800 re f
        endstream endobj
        trailer<</Root 1 0 R>>
        """
        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.headers.get('Host', '')
                if '?' in self.path:
                    print(name, self.path.split('?')[1], int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000), flush=True)
                isPDF = self.path.endswith('.pdf')
                text = PDF if isPDF else (PAGE % (name, name, colour(name))).encode()
                self.send_response(200)
                self.send_header('Content-Type', 'application/pdf' if isPDF else 'text/html')
                self.send_header('Content-Length', str(len(text)))
                # A shield has a sheet and a picture of its own, also where a page permits none.
                self.send_header('Content-Security-Policy', "img-src 'none'; style-src-elem 'none'")
                self.end_headers()
                self.wfile.write(text)
            def log_message(self, *words): pass
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Page)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    /// Returns the background colour of a host's page.
    static func colour(of host: String) -> String {
        let sum = host.unicodeScalars.reduce(7) { ($0 * 31 + Int($1.value)) % 0x100_0000 }
        let digits = String(sum, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    let house: XHouse
    private let port: Int
    private let output: String
    private var home: String { house.display.environment["HOME"] ?? "" }

    init(_ house: XHouse) throws {
        self.house = house
        let output = (house.display.environment["HOME"] ?? "") + "/proxy"
        self.output = output
        let number = Glibc.open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        try house.display.start("python3", list: ["-c", Self.proxy], descriptors: [1: file.number])
        var port: Int?
        try eventuallyBlocking("the proxy answers") {
            port = Int(ScratchDirectory.text(output).prefix { $0.isNumber })
            if port == nil { throw NotYet("no port yet") }
        }
        self.port = port ?? 0
    }

    // MARK: - Browsers

    /// Enables the browser with the command, as a person does, and starts it with these sites in tabs. Firefox can have many more
    /// tabs in the background.
    func open(_ browser: Browser, _ sites: [String], tabsBehind: Int = 0, hasHost: Bool = true) async throws
        -> SpawnedProcess
    {
        let pages = sites.map { "http://\($0)/" }
        switch browser {
        case .firefox:
            let folder = try await DebianFirefox.folder()
            try AtomicFile.write(
                Array(Self.entry(ofFirefox: folder).utf8),
                to: home + "/applications/firefox-esr.desktop"
            )
            try house.display.run("sh", "-c", Self.profile, home, "\(port)")
            if tabsBehind > 0 { try crowd(tabsBehind) }
            try enable("firefox", "--unsigned", path: folder)
            return try house.display.start(
                "\(folder)/firefox-esr",
                list: ["-P", "test", "--no-remote"] + pages,
                environment: house.appEnvironment
            )
        case .chromium:
            try enable("chromium", path: "/usr/bin")
            if !hasHost { try setHost(isInstalled: false) }
            return try house.display.start(
                "chromium",
                list: Self.plain + ["--proxy-server=http://127.0.0.1:\(port)"] + pages,
                environment: house.appEnvironment
            )
        }
    }

    /// Makes a profile of Firefox in the home `$0` without dialogs at its first start, with the proxy at the port `$1`.
    static let profile = #"""
        set -eu
        mkdir -p "$0/.mozilla/firefox/test"
        cd "$0/.mozilla/firefox"
        printf '[Profile0]\nName=test\nIsRelative=1\nPath=test\n' > profiles.ini
        while read -r name value; do printf 'user_pref("%s", %s);\n' "$name" "$value"; done > test/user.js <<TEXT
        network.proxy.type 1
        network.proxy.http "127.0.0.1"
        network.proxy.http_port $1
        dom.security.https_first false
        browser.shell.checkDefaultBrowser false
        browser.aboutwelcome.enabled false
        browser.preonboarding.enabled false
        datareporting.policy.dataSubmissionEnabled false
        browser.tabs.warnOnClose false
        TEXT
        """#

    /// Returns its entry with its own folder, by which the agent recognises a browser.
    static func entry(ofFirefox folder: String) -> String {
        ScratchDirectory.text(folder + "/../../share/applications/firefox-esr.desktop")
            .replacing("/usr/lib/firefox-esr", with: folder)
    }

    /// Opens tabs with an extension of the test, which reports them to the proxy. Firefox loads none before it is shown.
    private func crowd(_ count: Int) throws {
        let folder = home + "/.mozilla/firefox/test/extensions"
        try Directories.prepare(folder)
        let script = """
            import json, sys, zipfile
            code = '''(async () => {
              for (let i = 0; i < %d; i++) await browser.tabs.create({ url: `http://t${i}.example.com/`, active: false, discarded: true });
              fetch("http://crowd.example.com/?made", { mode: "no-cors" });
            })()''' % int(sys.argv[2])
            manifest = {"manifest_version": 2, "name": "crowd", "version": "1", "permissions": ["tabs"],
                        "background": {"scripts": ["crowd.js"]}, "browser_specific_settings": {"gecko": {"id": "crowd@example.com"}}}
            with zipfile.ZipFile(sys.argv[1], "w") as made:
                made.writestr("manifest.json", json.dumps(manifest))
                made.writestr("crowd.js", code)
            """
        try house.display.run("python3", "-c", script, "\(folder)/crowd@example.com.xpi", "\(count)")
    }

    /// Registers browser-host with Chromium, or removes the registration.
    func setHost(isInstalled: Bool) throws {
        let move = """
            set -eu; file="$(find "$0" -name 'dev.screentime.browser.json*' -path '*chromium*')"
            mv "$file" "${file%.away}$1"
            """
        try house.display.run("sh", "-c", move, home, isInstalled ? "" : ".away")
    }

    private func enable(_ words: String..., path: String) throws {
        let process = try house.display.start(
            try BuiltTree.program("screentime"),
            list: ["browser", "enable"] + words,
            environment: [
                "PATH": path + ":/usr/bin:/bin", "SCREENTIME_RUN": house.system.directories.run,
                "SCREENTIME_STATE": house.system.directories.state,
            ]
        )
        let end = process.wait(deadlineMs: 90_000)
        guard end == .exited(0) else {
            throw NotYet("browser enable \(words): \(String(describing: end)) \(house.display.programLog)")
        }
    }

    /// The reports that pages have sent to their proxy: `frame=true` of a host, at a boot time.
    var said: [Said] {
        ScratchDirectory.text(output).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let bootMs = Int64(words[2]) else { return nil }
            return Said(host: words[0], text: words[1], atBootMs: bootMs)
        }
    }

    struct Said {
        var host: String
        var text: String
        var atBootMs: Int64
    }

    // MARK: - What a person does

    /// Activates a window of the browser, and the tab with this number.
    func show(_ browser: Browser, tab: Int? = nil) throws {
        try house.display.xdotool(
            "search",
            "--onlyvisible",
            "--class",
            browser.windowClass,
            "windowactivate",
            "--sync"
        )
        if let tab { try house.display.xdotool("key", "\(browser.tabKey)+\(tab)") }
    }

    /// Types into the foreground page until its text ends with `text`.
    func type(_ text: String, host: String, keys: String? = nil) async throws {
        // A page that is not shown yet receives neither clicks nor keys.
        for _ in 0..<5 {
            try house.display.xdotool("mousemove", "500", "500", "click", "1")
            try house.display.xdotool("type", "--delay", "15", keys ?? text)
            let has = comesTrue(within: .seconds(10)) {
                said.contains { $0.host == host && $0.text.hasPrefix("typed=") && $0.text.hasSuffix(text) }
            }
            if has { return }
        }
        throw NotYet("\(text) is not in the page: \(said)")
    }

    func shows(_ site: String?, within limit: Duration = .seconds(30)) async throws {
        try await eventually(within: limit, "\(site ?? "no site") is in front") {
            let status = try await house.ask(DesktopStatus.self, Empty())
            guard status.site == site else { throw NotYet("\(status)") }
        }
    }

    /// Returns the browser-host that this browser has started.
    func host(of browser: SpawnedProcess) throws -> Int32 {
        var found: Int32?
        try eventuallyBlocking(within: .seconds(20), "browser-host runs") {
            found = ProcessTable.children(of: browser.pid).first {
                ProcFile.link("/proc/\($0)/exe")?.hasSuffix("/browser-host") == true
            }
            if found == nil { throw NotYet("no browser-host below \(browser.pid)") }
        }
        return found ?? 0
    }
}
