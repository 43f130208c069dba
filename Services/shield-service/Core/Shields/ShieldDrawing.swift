import STContracts
import STCrypto
import STDomain
import STPlatform

/// The look of one subject's shield: chooses the app to call, and builds the shield from its reply.
struct ShieldDrawing {
    let verdict: ShieldVerdict
    private let subject: ShieldSubject
    private let language: String
    /// Index of the cause whose app draws the shield. `nil` if no app is called.
    private let place: Int?
    /// The app that owns the shield, called or not.
    private let app: String
    private let programs: ShieldApps.Extensions?
    private let tokenKey: Int64
    /// True for a preview, which is drawn as if this app had set the shield.
    private let isPreview: Bool

    /// Chooses the first cause in the decision's order whose app has a look for its shields.
    init(
        _ verdict: ShieldVerdict,
        subject: ShieldSubject,
        as preview: String? = nil,
        language: String,
        apps: ShieldApps
    ) throws {
        self.verdict = verdict
        self.subject = subject
        self.language = language
        isPreview = preview != nil
        tokenKey = apps.tokenKey
        let causes = verdict.causes
        if let preview {
            guard preview == BuiltInRules.app || apps.installed[preview] != nil else {
                throw Problem(
                    "app.not_installed",
                    "\(preview, "preview") is not installed.",
                    key: "app.not_installed.is-not-installed-2",
                    field: "/app",
                    help: "screentime app install FOLDER"
                )
            }
            app = preview
            programs = apps.installed[preview]
            place = programs?.configuration == nil ? nil : causes.firstIndex { $0.app == preview } ?? -1
        } else {
            let drawn = causes.firstIndex { apps.installed[$0.app]?.configuration != nil }
            place = drawn
            app = drawn.map { causes[$0].app } ?? causes.first?.app ?? ""
            programs = apps.installed[app]
        }
    }

    /// The causes, beginning with the one whose look is shown, and the number of omitted ones.
    var named: (causes: [ShieldCauseBody], more: Int64?) {
        guard let place, place > 0 else { return ShieldCauseBody.first(of: verdict.causes) }
        var others = verdict.causes
        let drawn = others.remove(at: place)
        let named = ShieldCauseBody.first(of: others)
        let rest = named.causes.prefix(ShieldCauseBody.namedMax - 1)
        let left = verdict.causes.count - 1 - rest.count
        return ([drawn] + rest, left > 0 ? Int64(left) : nil)
    }

    var appearanceRequest: ShieldAppearanceRequest {
        guard let place, let executable = programs?.configuration else {
            return ShieldAppearanceRequest(member: verdict.member, language: language)
        }
        return ShieldAppearanceRequest(
            app: app,
            member: verdict.member,
            executable: executable,
            bundle: programs?.bundle,
            groups: programs?.groups ?? [],
            target: target(place),
            stamp: stamp,
            language: language
        )
    }

    /// The target of a press on the system's own look, with its offers.
    var targetWithOffers: ShieldTarget {
        var target = target
        target.offers = verdict.offers.isEmpty ? nil : verdict.offers
        return target
    }

    /// The target of a button press.
    var target: ShieldTarget { target(verdict.causes.isEmpty ? -1 : max(0, place ?? 0)) }

    private func target(_ place: Int) -> ShieldTarget {
        let hasCause = place >= 0
        let isSite = hasCause ? verdict.isSite[place] : subject.domain != nil
        var target = ShieldTarget()
        if isSite, let domain = subject.domain {
            target.domain = ShieldName(id: domain, name: verdict.siteName(domain, language))
        } else if let app = subject.app {
            target.application = ShieldName(id: app, name: verdict.appName(app, language))
        }
        guard hasCause else { return target }
        let cause = verdict.causes[place]
        switch cause.way {
        case .category: target.category = category(cause.what)
        case .all: target.category = category(verdict.category)
        case .named, .blocked, .filter, .unknown: break
        }
        return target
    }

    private func category(_ id: String) -> ShieldName {
        ShieldName(id: id, name: Category(rawValue: id)?.name(language: language) ?? id)
    }

    /// Changes with each store that shields the subject, the app's installation, and the names and tokens of things.
    private var stamp: String {
        let stores = zip(verdict.causes, verdict.versions).map { "\($0.app)/\($0.store) \($1)" }
        let target = target(place ?? -1)
        let names = [
            programs?.installedAt, target.application?.name, target.domain?.name, target.category?.id,
            String(tokenKey),
        ]
        // Use a digest, because there can be thousands of stores and stamps are only compared.
        let whole = (stores + names.map { $0 ?? "" }).joined(separator: "\n")
        return Base64.encode(Digest.blake2b(Array(whole.utf8)))
    }

    // MARK: - What is shown

    func view(_ answer: ShieldAppearanceResult?) -> ShieldAppearanceView {
        let words = ShieldStrings(language)
        let target = target
        let name = target.domain?.name ?? target.application?.name ?? ""
        let until = validUntil
        let own = BuiltInAppearance.make(
            name,
            icon: target.domain == nil ? verdict.icon : nil,
            by: author,
            says: message(words),
            // If the expected opening time has passed, the real one is unknown.
            opens: verdict.opens.flatMap { $0 > verdict.wall ? moments.text($0.ms) : nil },
            asked: verdict.waiting.map { words.asked($0, moments) },
            offers: verdict.offers,
            words
        )
        func builtIn(_ problem: Problem?, missing: String? = nil) -> ShieldAppearanceView {
            ShieldAppearanceView(
                look: own,
                source: .builtIn,
                app: app,
                problem: problem,
                missing: missing,
                goodUntilMs: until?.ms
            )
        }
        guard place != nil else { return builtIn(noExtension) }
        guard let answer else { return builtIn(Self.notAsked) }
        guard answer.app == app, answer.stamp == stamp else { return builtIn(Self.changed) }
        guard let look = answer.look, answer.missing == nil else {
            return builtIn(answer.problem, missing: answer.missing)
        }
        return ShieldAppearanceView(
            look: BuiltInAppearance.complete(look, with: own),
            source: .app,
            app: app,
            problem: answer.problem
        )
    }

    private var moments: MomentFormatter {
        MomentFormatter(fromMs: verdict.wall.ms, zone: verdict.zone, in: DisplayLanguage(of: language))
    }

    private var author: ShieldStrings.Author {
        guard !app.isEmpty else { return .none }
        guard app == BuiltInRules.app else { return .app(programs?.name ?? app) }
        let store = verdict.causes.first { $0.app == app }?.store
        let rule = note.map { ShieldAppearanceText.cleaned($0.rule, isOneLine: true).text }
        return .rule(rule ?? store ?? app, note?.reason)
    }

    /// The note of the rule that owns the shield.
    private var note: ShieldNote? {
        guard app == BuiltInRules.app, let index = verdict.causes.firstIndex(where: { $0.app == app }) else {
            return nil
        }
        return verdict.notes[index]
    }

    /// Returns the person's own text, made drawable like an app's.
    private func message(_ words: ShieldStrings) -> String? {
        guard let note,
            let says = note.message.map({ ShieldAppearanceText.cleaned($0, isOneLine: false).text }),
            !says.allSatisfy(\.isWhitespace)
        else { return nil }
        guard let opens = note.opensMs.map(WallTime.init) else { return says }
        // Only this placeholder is filled here, because its value changes while the shield is shown.
        let left = words.duration(.seconds(60 * Self.minutes(until: opens, verdict.wall)))
        return PlaceholderText.filled(says, [Self.left: left])
    }

    private static let left = "left"

    /// Rounds up, so that the time left never ends before the shield opens.
    private static func minutes(until end: WallTime, _ now: WallTime) -> Int64 {
        end > now ? ((end - now).ms + 59_999) / 60_000 : 0
    }

    /// The moment at which the times in the system's text change.
    private var validUntil: WallTime? {
        let now = verdict.wall
        let said = [verdict.opens?.ms, verdict.waiting?.grants?.wallMs, verdict.waiting?.expires?.wallMs]
        var changes = said.compactMap { $0.flatMap(moments.validUntil).map(WallTime.init) }
        if let opens = note?.opensMs.map(WallTime.init), opens > now,
            note?.message?.contains("{\(Self.left)}") == true
        {
            changes.append(opens - .seconds(60 * (Self.minutes(until: opens, now) - 1)))
        }
        return changes.min()
    }

    private var noExtension: Problem? {
        guard isPreview, app != BuiltInRules.app else { return nil }
        return Problem(
            "app.no_shield_configuration",
            """
            \(app, "app") has no shield-configuration extension, so its shields have the default appearance.
            """,
            field: "/app"
        )
    }

    private static let notAsked = Problem(
        "shield.no_look",
        "Screen Time could not request the appearance from the app, so it shows the default appearance.",
        retryable: true
    )

    private static let changed = Problem(
        "shield.changed",
        """
        The causes of this shield changed while Screen Time requested its appearance from the app, so it \
        shows the default appearance.
        """,
        retryable: true
    )
}
