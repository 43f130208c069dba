import STContracts
import STPlatform

/// `screentime shield preview`: the look of a shield as text, and as a picture where one is wanted.
enum ShieldPreview {
    /// A look, and what must be said about where it comes from.
    struct Found: Sendable {
        var look: ShieldLook
        var subject: ShieldSubject
        var name: String
        var reply: ShieldConfigurationAsk.Reply?
        var notes: [String]
    }

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let options = try PreviewOptions(invocation)
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(
                invocation.value("--member"),
                "shield preview \(invocation.subjects[0])",
                clients
            )
            return try await ask(options, invocation, clients)
        }
        let picture = try draw(found, options, invocation)
        show(found, picture, options, invocation)
        return .done
    }

    // MARK: - What it looks like

    private static func ask(_ options: PreviewOptions, _ invocation: Invocation, _ clients: ServiceClients)
        async throws -> Found
    {
        var notes: [String] = []
        var item = options.subject
        if item.kind == .application, let ids = await KnownApps.ids(clients) {
            let resolved = KnownApps.resolved(item, ids)
            item = resolved.item
            if let remark = resolved.remark { notes.append(remark) }
        }
        let isSite = item.kind == .domain
        let subject = ShieldSubject(app: isSite ? nil : item.id, domain: isSite ? item.id : nil)
        let request = ShieldConfigurationAsk.Request(
            member: invocation.value("--member"),
            subject: subject,
            language: options.language,
            app: invocation.value("--app")
        )
        let name = displayName(item)
        do {
            let reply = try await clients.call(ShieldConfigurationAsk.self, request)
            notes += sentences(reply, name, isAsked: request.app != nil)
            let look = SystemLook.filled(reply.view.look, name: name, language: options.language)
            return Found(look: look, subject: subject, name: name, reply: reply, notes: notes)
        } catch let problem as Problem where problem.code == "route.not_found" {
            notes.append(
                "shield-service does not say yet what a shield looks like, so this is the built-in look."
            )
            let look = SystemLook.look(name: name, language: options.language)
            return Found(look: look, subject: subject, name: name, reply: nil, notes: notes)
        }
    }

    /// What a person would not guess from the picture.
    private static func sentences(_ reply: ShieldConfigurationAsk.Reply, _ name: String, isAsked: Bool)
        -> [String]
    {
        var notes: [String] = []
        if !reply.decision.isShielded, !isAsked {
            notes.append("\(name) is not shielded at the moment; this is what it would look like.")
        }
        if let missing = reply.view.missing {
            notes.append("\(reply.view.app) does not override \(missing), so this is the built-in look.")
        }
        if let problem = reply.view.problem { notes.append(TextWrap.sentence(problem.message)) }
        return notes
    }

    /// `Firefox` of `org.mozilla.firefox`; a site's name stays as it is.
    private static func displayName(_ item: TokenItem) -> String {
        guard item.kind == .application, let last = item.id.split(separator: ".").last else { return item.id }
        return last.prefix(1).uppercased() + last.dropFirst()
    }

    // MARK: - The picture

    private static func draw(_ found: Found, _ options: PreviewOptions, _ invocation: Invocation) throws
        -> DrawAnswer?
    {
        guard let png = options.png else { return nil }
        let child = DrawingChild.beside(try SystemPlaces.executable())
        return try child.draw(
            DrawRequest(
                look: found.reply?.view.look ?? ShieldLook(submenu: []),
                name: found.name,
                width: options.width,
                height: options.height,
                appearance: options.appearance,
                language: options.language,
                output: png
            ),
            environment: DrawingChild.fonts(of: invocation.environment)
        )
    }

    // MARK: - On the terminal

    private static func show(
        _ found: Found,
        _ picture: DrawAnswer?,
        _ options: PreviewOptions,
        _ invocation: Invocation
    ) {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(json(found, picture, options)))
            return
        }
        terminal.write(
            ShieldCard(found.look, columns: terminal.columns).lines(terminal).joined(separator: "\n")
        )
        var notes = found.notes
        if let picture, let png = options.png {
            notes.append("Drawn into \(png), \(picture.width)x\(picture.height).")
            notes += picture.warnings
        }
        for note in notes {
            terminal.note(TextWrap.lines(DisplayWidth.harmless(note), terminal).joined(separator: "\n"))
        }
    }

    private static func json(_ found: Found, _ picture: DrawAnswer?, _ options: PreviewOptions) -> JSONValue {
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
