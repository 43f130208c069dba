import Glibc
import STContracts
import STPlatform
import STTestSupport

/// A real browser that performs a person's actions: its driver moves the mouse and types keys.
final class WebDriver {
    enum Kind: CaseIterable {
        case chromium
        case firefox
    }

    private let kind: Kind
    private let line: any BrowserLine

    /// Starts the browser with its own home, so that it contains nothing of another browser.
    init(
        _ scratch: ScratchDirectory,
        name: String,
        _ kind: Kind = .chromium,
        isDark: Bool = false,
        width: Int = 1_000
    ) async throws {
        self.kind = kind
        let home = scratch.file("browser-\(name)")
        guard mkdir(home, 0o700) == 0 else { throw SystemError.last("mkdir") }
        line =
            switch kind {
            case .chromium: try ChromiumLine(home, isDark: isDark, width: width)
            case .firefox:
                try FirefoxLine(home, isDark: isDark, width: width, folder: try await DebianFirefox.folder())
            }
    }

    func end() { line.end() }

    @discardableResult
    private func act(_ path: String, _ body: JSONValue = [:]) throws -> JSONValue {
        try line.act(path, body)
    }

    // MARK: - What a person does

    func open(_ address: String) throws { try act("/url", ["url": .string(address)]) }

    /// Waits until the element exists, as a person does, and clicks in its centre.
    func click(_ selector: String) throws {
        try eventuallyBlocking(within: .seconds(30), "\(selector) can be clicked") {
            _ = try act("/element/\(element(selector))/click")
        }
    }

    func type(_ text: String, into selector: String) throws {
        try eventuallyBlocking(within: .seconds(30), "\(selector) takes keys") {
            let found = try element(selector)
            try act("/element/\(found)/clear")
            _ = try act("/element/\(found)/value", ["text": .string(text)])
        }
    }

    /// Chooses an entry by its first letters, because a list that a click opens also takes the next click.
    func choose(_ letters: String, in selector: String) throws {
        try eventuallyBlocking(within: .seconds(30), "\(selector) takes keys") {
            _ = try act("/element/\(element(selector))/value", ["text": .string(letters)])
        }
    }

    private func element(_ selector: String) throws -> String {
        let found = try act("/element", ["using": "css selector", "value": .string(selector)])
        guard case .object(let members) = found, let id = members.values.first?.string else {
            throw NotYet("no \(selector)")
        }
        return id
    }

    // MARK: - What a person sees

    @discardableResult
    func run(_ script: String) throws -> JSONValue {
        try act("/execute/sync", ["script": .string(script), "args": []])
    }

    func runAsync(_ script: String) throws -> JSONValue {
        try act("/execute/async", ["script": .string(script), "args": []])
    }

    func text(_ selector: String = "body") throws -> String {
        try run("return document.querySelector(\"\(selector)\")?.innerText ?? ''").string ?? ""
    }

    /// Waits until the text of the page or of an element contains all of these.
    func shows(_ words: String..., in selector: String = "body", within limit: Duration = .seconds(30)) throws
    {
        try eventuallyBlocking(within: limit, "the page says \(words)") {
            let text = try text(selector)
            if let missing = words.first(where: { !text.contains($0) }) {
                throw NotYet("no “\(missing)” in \(text)")
            }
        }
    }

    /// Returns the page's accessibility violations that axe finds. `[]` means none.
    func violations() throws -> String {
        let axe = ScratchDirectory.text(BuiltTree.source(".build/axe/axe.min.js"))
        guard !axe.isEmpty else { throw NotYet("scripts/setup.sh --test fetches axe-core") }
        let ask = """
            const done = arguments[arguments.length - 1];
            axe.run(document, { iframes: false }).then((found) => done(JSON.stringify(found.violations.map(
                (one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200) + node.failureSummary)]))));
            """
        let found = try runAsync(axe + "\n" + ask).string ?? "no answer"
        if found != "[]" { print(found) }
        return found
    }

    /// Keeps a picture for people in the folder of `SCREENTIME_PICTURES`.
    func keepPicture(_ name: String) throws {
        guard let folder = ProcessEnvironment.current()["SCREENTIME_PICTURES"] else { return }
        guard let picture = try line.act("/screenshot", nil).string,
            let bytes = Base64.decode(picture)
        else { throw NotYet("no picture") }
        try AtomicFile.write(bytes, to: "\(folder)/\(name)-\(kind).png")
    }
}
