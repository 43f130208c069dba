import STContracts
import STDomain
import STPlatform

/// Finds the app of a window.
///
/// The resolver first uses the window's names, then the facts about its process. If the two disagree, the process takes precedence,
/// because the display server reports it. But many apps are run by another program, and then the window's names identify the app
/// better. The resolver reads no files: the catalogue and the facts contain their content.
package struct AppResolver: Sendable {
    /// The ID of the app if nothing identifies it.
    package static let unknown = "unknown"
    private static let idBytesMax = 200

    package let catalogue: AppCatalogue
    package let language: String?
    /// `nil` unless a child on a protected computer uses this session.
    package var accepted: AcceptedPrograms?

    /// `language`: the locale of the people at this computer, such as `ko_KR.UTF-8`.
    package init(_ catalogue: AppCatalogue, language: String? = nil) {
        self.catalogue = catalogue
        self.language = language
    }

    /// Returns the app of the window. Reads the facts about its process from /proc.
    package func identity(of window: DesktopWindow) -> AppIdentity {
        let facts = (window.pid ?? window.claimedPid).map(ProcessFacts.read)
        return identity(of: window, process: facts)
    }

    package func identity(of window: DesktopWindow, process facts: ProcessFacts?) -> AppIdentity {
        var identity = claimed(window, facts)
        if let facts, facts.isReplaceable {
            var said: [Message] = []
            let named = WindowClaim.find(window, catalogue: catalogue, steps: &said)?.id
            if let (app, path) = catalogue.original(of: facts, named: named) {
                let copy = Message(
                    "agent.program-is-copy",
                    "Its program is a copy of \(path.quoted, "file"), so it counts as \(app.id.quoted, "app")."
                )
                return AppIdentity(
                    id: app.id,
                    name: app.name(in: language),
                    clue: .executable,
                    steps: identity.steps + [copy]
                )
            }
        }
        // Some displays do not report the process of a window.
        guard let accepted, let facts, let objection = accepted.rejectionReason(to: facts) else {
            return identity
        }
        identity.name = nil
        identity.id = UsageObserve.unknownProgram
        identity.steps.append(objection)
        identity.unknownProgram = facts.appImage ?? facts.script ?? facts.executable ?? ""
        return identity
    }

    private func claimed(_ window: DesktopWindow, _ facts: ProcessFacts?) -> AppIdentity {
        var steps: [Message] = []
        let claim = WindowClaim.find(window, catalogue: catalogue, steps: &steps)
        guard let facts, !facts.isEmpty else {
            steps.append(
                (window.pid ?? window.claimedPid).map {
                    Message(
                        "agent.process-is-unreadable",
                        "Screen Time cannot read its process \($0, "pid")."
                    )
                }
                    ?? Message(
                        "agent.display-reports-no-process",
                        "The display does not report which process the window belongs to."
                    )
            )
            return decided(claim, steps) ?? windowIdentity(window, &steps)
        }
        let process = ProcessClaim(facts, catalogue)
        guard let claim else {
            steps += process.steps
            return decided(process.claim, steps) ?? own(process, window: window, steps: &steps)
        }
        guard window.pid != nil else {
            steps.append(
                Message(
                    "agent.process-named-by-window",
                    """
                    Only the window itself reports its process, so Screen Time cannot use the process to \
                    check the window's name.
                    """
                )
            )
            return decided(claim, steps) ?? windowIdentity(window, &steps)
        }
        return judge(claim, process: process, window: window, steps: &steps)
    }

    // MARK: - The window's names and the process

    private func judge(
        _ claim: AppClaim,
        process: ProcessClaim,
        window: DesktopWindow,
        steps: inout [Message]
    ) -> AppIdentity {
        let other = process.claim.flatMap { $0.id == claim.id ? nil : $0 }
        let fit = process.match(claim)
        steps.append(fit.message)
        switch fit {
        case .fits:
            if let app = claim.app, app.isOwn, app.start?.isWebApp == true, !process.isSite(window) {
                steps.append(
                    Message(
                        "agent.entry-is-for-site",
                        """
                        The entry \(claim.id.quoted, "entry") is for a single site, but this window belongs \
                        to the browser itself.
                        """
                    )
                )
                return decided(process.browser() ?? process.claim, steps)
                    ?? own(process, window: window, steps: &steps)
            }
            // Otherwise a copied entry would give a system program a name to which no rule applies.
            if let app = claim.app, app.isOwn, let other, let real = other.app, !real.isOwn, other.isDefinite,
                !(app.start?.isWebApp == true && real.isBrowser)
            {
                steps += process.steps
                steps.append(
                    Message(
                        "agent.own-entry-starts-system-program",
                        """
                        The entry \(claim.id.quoted, "entry") in the home folder starts a system program. \
                        Screen Time uses that program's own entry.
                        """
                    )
                )
                return decided(other, steps) ?? windowIdentity(window, &steps)
            }
            return decided(claim, steps) ?? windowIdentity(window, &steps)
        case .unclear:
            guard let other, other.isDefinite else {
                return decided(claim, steps) ?? windowIdentity(window, &steps)
            }
            steps += process.steps + [Self.processDecidesMessage]
            return decided(other, steps) ?? windowIdentity(window, &steps)
        case .misfit:
            steps += process.steps + [Self.processDecidesMessage]
            return decided(process.claim, steps) ?? own(process, window: window, steps: &steps)
        }
    }

    private static let processDecidesMessage = Message(
        "agent.process-counts-before-window",
        "The process takes precedence over the name that the window reports."
    )

    // MARK: - The answer

    private func decided(_ claim: AppClaim?, _ steps: [Message]) -> AppIdentity? {
        guard let claim else { return nil }
        return AppIdentity(
            id: claim.id,
            name: claim.app?.name(in: language),
            clue: claim.clue,
            steps: steps + [Self.conclusion(claim.id, claim.why)]
        )
    }

    private static func conclusion(_ app: String, _ reason: Message) -> Message {
        Message("agent.so-it-is-app", "The app is therefore \(app.quoted, "app"): \(reason, "reason").")
    }

    /// Names a process without a desktop entry after its executable, or after the script that an interpreter runs.
    private func own(_ process: ProcessClaim, window: DesktopWindow, steps: inout [Message])
        -> AppIdentity
    {
        guard let name = process.ownName(window), let id = Self.id(name.text) else {
            return windowIdentity(window, &steps)
        }
        steps.append(Self.conclusion(id, name.why))
        return AppIdentity(id: id, clue: .executable, steps: steps)
    }

    private func windowIdentity(_ window: DesktopWindow, _ steps: inout [Message]) -> AppIdentity {
        let words = [window.desktopFile, window.windowClass, window.instance].compactMap(\.self)
        if let word = words.first(where: { !WindowClaim.isGeneric($0) }) ?? words.first,
            let id = Self.id(word)
        {
            let why = Message("agent.only-name-of-window", "only the name of the window is known")
            steps.append(Self.conclusion(id, why))
            return AppIdentity(id: id, clue: .itself, steps: steps)
        }
        let why = Message(
            "agent.nothing-names-app",
            "neither the window nor anything else identifies it"
        )
        steps.append(Self.conclusion(Self.unknown, why))
        return AppIdentity(id: Self.unknown, clue: .itself, steps: steps)
    }

    /// Returns the text as an app ID that rules can name: without path and control characters, and cut to the maximum length.
    static func id(_ text: String) -> String? {
        var id = DisplayWidth.sanitized(ProgramName.base(text))
        if id.hasSuffix(".desktop"), id.utf8.count > 8 { id.removeLast(8) }
        while id.utf8.count > idBytesMax { id.removeLast() }
        return id.contains { !$0.isWhitespace } ? id : nil
    }
}

/// The app that the names of a window, or the facts about a process, point to, with the reason.
struct AppClaim: Sendable {
    var id: String
    /// The app's desktop entry. `nil` if it has none.
    var app: AppEntry?
    var clue: AppClue
    /// The end of a sentence: "its process runs in that snap".
    var why: Message
    /// True if the claim also takes precedence over the window's names.
    var isDefinite = false
}

extension String {
    /// A text from outside in quotation marks, for sentences: short and without control characters.
    var quoted: String { "“\(DisplayWidth.truncated(DisplayWidth.sanitized(self), 120))”" }
}
