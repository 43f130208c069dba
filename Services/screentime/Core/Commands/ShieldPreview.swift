package import STContracts
import STPlatform

/// `screentime shield preview`: the appearance of a shield as text, and as a picture if requested.
enum ShieldPreview {
    /// An appearance, and notes about its source.
    struct ShieldPreviewResult: Sendable {
        var look: ShieldAppearance
        var subject: ShieldSubject
        var name: String
        var reply: ShieldConfigurationAsk.Reply?
        var notes: [String]
    }

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let options = try PreviewOptions(invocation)
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(
                invocation.value("--member"),
                clients
            )
            return try await fetch(options, invocation: invocation, clients: clients)
        }
        let picture = try draw(found, options: options, invocation: invocation)
        show(found, picture: picture, options: options, invocation: invocation)
        return .done
    }

    // MARK: - Appearance

    private static func fetch(_ options: PreviewOptions, invocation: Invocation, clients: ServiceClients)
        async throws -> ShieldPreviewResult
    {
        var notes: [String] = []
        var item = options.subject
        var resolving = AppArgumentResolver(await AppFinder.load(invocation, clients), takesAny: true)
        item = try resolving.items([item])[0]
        notes += resolving.remarks
        let isSite = item.kind == .domain
        let subject = ShieldSubject(app: isSite ? nil : item.id, domain: isSite ? item.id : nil)
        let request = ShieldConfigurationAsk.Request(
            member: invocation.value("--member"),
            subject: subject,
            language: options.language,
            app: invocation.value("--app")
        )
        let name =
            isSite
            ? item.id
            : DisplayNames.capitalised(
                await DisplayNames.load([item.id], invocation: invocation, clients: clients)[item.id]
            )
        do {
            let reply = try await clients.call(ShieldConfigurationAsk.self, request)
            notes += sentences(reply, name, isAsked: request.app != nil)
            let look = SystemAppearance.filled(reply.view.look, name: name, language: options.language)
            return ShieldPreviewResult(look: look, subject: subject, name: name, reply: reply, notes: notes)
        } catch let problem as Problem where problem.code == "route.not_found" {
            notes.append(
                Speech.say(
                    "shield.shield-service-does-not",
                    """
                    shield-service does not provide the appearance of shields yet, so this is the default \
                    appearance.
                    """
                )
            )
            let look = SystemAppearance.appearance(name: name, language: options.language)
            return ShieldPreviewResult(look: look, subject: subject, name: name, reply: nil, notes: notes)
        }
    }

    /// Returns notes about facts that the picture does not show.
    private static func sentences(_ reply: ShieldConfigurationAsk.Reply, _ name: String, isAsked: Bool)
        -> [String]
    {
        var notes: [String] = []
        if !reply.decision.isShielded, !isAsked {
            notes.append(
                Speech.say(
                    "shield.is-not-shielded-at",
                    "\(name, "name") is not shielded at the moment. This is what its shield would look like."
                )
            )
        }
        if let missing = reply.view.missing {
            notes.append(
                Speech.say(
                    "shield.does-not-override-so",
                    """
                    \(reply.view.app, "app") does not override \(missing, "missing"), so this is the default \
                    appearance.
                    """
                )
            )
        }
        if let problem = reply.view.problem { notes.append(TextWrap.sentence(Speech.say(problem.text))) }
        return notes
    }

    // MARK: - The picture

    private static func draw(_ found: ShieldPreviewResult, options: PreviewOptions, invocation: Invocation)
        throws
        -> DrawAnswer?
    {
        guard let png = options.png else { return nil }
        let child = DrawingRunner.beside(try SystemPlaces.executable())
        return try child.draw(
            DrawRequest(
                look: found.reply?.view.look ?? ShieldAppearance(submenu: []),
                name: found.name,
                width: options.width,
                height: options.height,
                appearance: options.appearance,
                language: options.language,
                output: png
            ),
            environment: DrawingRunner.fonts(of: invocation.environment)
        )
    }

    // MARK: - On the terminal

    private static func show(
        _ found: ShieldPreviewResult,
        picture: DrawAnswer?,
        options: PreviewOptions,
        invocation: Invocation
    ) {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(json(found, picture: picture, options: options)))
            return
        }
        terminal.write(
            ShieldCard(found.look, columns: terminal.columns).lines(terminal).joined(separator: "\n")
        )
        var notes = found.notes
        if let picture, let png = options.png {
            notes.append(
                Speech.say(
                    "shield.drawn-into-x",
                    """
                    Saved the picture as \(png, "png"), \
                    \(picture.width, "width")x\(picture.height, "height").
                    """
                )
            )
            notes += picture.warnings.map { Speech.say($0) }
        }
        for note in notes {
            terminal.note(TextWrap.lines(DisplayWidth.sanitized(note), terminal).joined(separator: "\n"))
        }
    }

    private static func json(_ found: ShieldPreviewResult, picture: DrawAnswer?, options: PreviewOptions)
        -> JSONValue
    {
        let value = { (body: (any WireBody)?) -> JSONValue in
            body.flatMap { try? JSONOutput.value(of: $0) } ?? .null
        }
        var drawn = JSONValue.null
        if case .object(var members) = value(picture) {
            members["path"] = options.png.map { .string($0) } ?? .null
            members["appearance"] = .string(options.appearance.rawValue)
            drawn = .object(members)
        }
        return [
            "subject": value(found.subject), "name": .string(found.name),
            "language": options.language.map { .string($0) } ?? .null, "look": value(found.look),
            "decision": value(found.reply?.decision), "view": value(found.reply?.view), "picture": drawn,
            "notes": .array(found.notes.map { .string($0) }),
        ]
    }
}

/// The checked options of `shield preview`.
struct PreviewOptions {
    let subject: TokenItem
    let language: String?
    let appearance: DrawAppearance
    let width: Int
    let height: Int
    /// The absolute path of the picture. `nil` if no picture is requested.
    let png: String?

    private static let line = "screentime shield preview"
    private static let sizeDefault = (width: 1280, height: 800)

    init(_ invocation: Invocation) throws {
        subject = try Self.subject(invocation.subjects[0])
        language = try LanguageOption.read(invocation)
        guard !(invocation.has("--dark") && invocation.has("--light")) else {
            throw Problem(
                "usage.option_value",
                "Use --dark or --light, not both.",
                key: "usage.option_value.a-picture-is",
                help: "\(Self.line) \(invocation.subjects[0]) --dark"
            )
        }
        appearance = invocation.has("--dark") ? .dark : .light
        (width, height) = try Self.size(invocation.value("--size"))
        png = try Self.path(invocation.value("--png"))
        let forPictures = ["--size", "--dark", "--light"].first { invocation.has($0) }
        if png == nil, let option = forPictures {
            throw Problem(
                "usage.option_value",
                "\(option, "option") applies only to a picture. Name the picture's file with --png.",
                key: "usage.option_value.is-for-pictures",
                help: "\(Self.line) \(invocation.subjects[0]) --png shield.png"
            )
        }
    }

    private static func subject(_ word: String) throws -> TokenItem {
        let items = try SubjectReader.items([word], after: line)
        guard let item = items.first, item.kind == .application || item.kind == .domain else {
            throw Problem(
                "usage.bad_subject",
                "Only the shield of an app or a site can be previewed. Name an app or a site.",
                key: "usage.bad_subject.only-an-app",
                help: "\(line) firefox"
            )
        }
        return item
    }

    private static func size(_ text: String?) throws(Problem) -> (Int, Int) {
        guard let text else { return sizeDefault }
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let range = DrawLimits.sideMin...DrawLimits.sideMax
        guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width),
            range.contains(height), width * height <= DrawLimits.pixelsMax
        else {
            throw Problem(
                "usage.bad_size",
                """
                --size is “\(text, "text")”; it must be WIDTHxHEIGHT, each from \(range.lowerBound, "least") \
                to \(range.upperBound, "most") pixels, and not more than \
                \(DrawLimits.pixelsMax / 1_000_000, "most2") million pixels in all.
                """,
                help: "--size 1280x800"
            )
        }
        return (width, height)
    }

    private static func path(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        guard !text.isEmpty, text != "-", !text.hasSuffix("/") else {
            throw Problem(
                "usage.option_value",
                "--png needs the name of a file.",
                key: "usage.option_value.png-needs-the",
                help: "--png shield.png"
            )
        }
        return try FileTree.absolute(text)
    }
}

/// A shield on a terminal: a box as wide as its text needs.
package struct ShieldCard {
    private static let widthMax = 60
    private static let widthMin = 24
    private static let titleLines = 3
    private static let subtitleLines = 14
    /// The symbols that have a character for terminals.
    private static let characters = [
        "hourglass": "⧗", "moon": "☾", "lock": "▣", "heart": "♥", "star": "★", "clock": "◷", "flag": "⚑",
        "hand": "⊘", "xmark": "✕", "checkmark": "✓", "exclamationmark": "⚠", "sun": "☀", "nosign": "⊘",
    ]

    private let look: ShieldAppearance
    private let width: Int

    /// Creates a card of a complete appearance. `columns` is the width of the terminal.
    package init(_ look: ShieldAppearance, columns: Int) {
        self.look = look
        width = max(Self.widthMin, min(Self.widthMax, columns - 2))
    }

    private var inside: Int { width - 6 }

    package func lines(_ terminal: Terminal) -> [String] {
        var rows = [blank]
        if let icon = icon { rows += [row(icon, style: .cyan, terminal: terminal), blank] }
        rows += block(look.title, limit: Self.titleLines, style: .bold, terminal: terminal)
        if look.title != nil, look.subtitle != nil { rows.append(blank) }
        rows += block(look.subtitle, limit: Self.subtitleLines, style: nil, terminal: terminal)
        rows.append(blank)
        if let primary = look.primary { rows += button(primary.text, terminal) }
        if let secondary = look.secondary, !Self.clean(secondary.text).isEmpty {
            let mark = look.submenu.isEmpty ? "" : " ▾"
            rows += [
                blank,
                row(
                    DisplayWidth.truncated(Self.clean(secondary.text), inside - 2) + mark,
                    style: .cyan,
                    terminal: terminal
                ),
            ]
            for entry in look.submenu.prefix(DrawLimits.submenuEntries) {
                rows.append(
                    row(
                        DisplayWidth.truncated("· " + Self.clean(entry), inside),
                        style: .dim,
                        terminal: terminal
                    )
                )
            }
        }
        rows.append(blank)
        let line = String(repeating: "─", count: width - 2)
        return ["╭\(line)╮"] + rows + ["╰\(line)╯"]
    }

    private var icon: String? {
        guard let icon = look.icon else { return nil }
        guard icon.kind == .system, let name = icon.name else { return "▦" }
        return Self.characters[String(name.prefix { $0 != "." })] ?? "▦"
    }

    private var blank: String { "│" + String(repeating: " ", count: width - 2) + "│" }

    private func block(_ text: ShieldText?, limit: Int, style: Terminal.Style?, terminal: Terminal)
        -> [String]
    {
        guard let text else { return [] }
        // A longer text would scroll off the screen.
        let paragraphs = text.text.prefix(DrawLimits.subtitleLength).split { $0.isNewline }
        var lines = paragraphs.flatMap { TextWrap.lines(Self.clean(String($0)), columns: inside) }
        if lines.count > limit || text.text.count > DrawLimits.subtitleLength {
            lines = Array(lines.prefix(limit))
            if let last = lines.popLast() { lines.append(DisplayWidth.truncated(last, inside - 1) + "…") }
        }
        return lines.map { row($0, style: style, terminal: terminal) }
    }

    private func button(_ text: String, _ terminal: Terminal) -> [String] {
        let label = DisplayWidth.truncated(Self.clean(text), inside - 4)
        let line = String(repeating: "─", count: DisplayWidth.columns(label) + 4)
        return [
            row("┌\(line)┐", style: nil, terminal: terminal),
            row("│  \(label)  │", style: .bold, terminal: terminal),
            row("└\(line)┘", style: nil, terminal: terminal),
        ]
    }

    /// Returns a centred row. The style applies to the text only.
    private func row(_ text: String, style: Terminal.Style?, terminal: Terminal) -> String {
        let space = max(0, width - 2 - DisplayWidth.columns(text))
        let left = String(repeating: " ", count: space / 2)
        let right = String(repeating: " ", count: space - space / 2)
        return "│" + left + (style.map { terminal.styled(text, $0) } ?? text) + right + "│"
    }

    private static func clean(_ text: String) -> String {
        DisplayWidth.sanitized(
            text.map { $0.isNewline || $0 == "\t" ? " " : $0 }.reduce(into: "") { $0.append($1) }
        )
    }
}
