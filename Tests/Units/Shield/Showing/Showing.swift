import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform
import STTestKit
import STTestSupport

@testable import STShieldCore

/// shield-service's rules with stores as a test wants them in force, and a companion that says what a test wants said.
final class Showing {
    static let member = "minji"
    static let game = "org.game"
    static let site = "video.example"

    let bench: CoreBench<ShieldState>

    /// `stores` by app and name; apps have both extensions, unless they are named otherwise.
    init(
        _ stores: [StoreName: StoreShields] = [:],
        apps: [String: ShieldApps.Extensions]? = nil,
        facts: [SubjectFacts] = [],
        notes: [StoreName: ShieldNote] = [:],
        members: [Member] = [Member(name: Showing.member, role: .individual)],
        scratch: ScratchDirectory? = nil,
        time: SimulatedTimeSource = SimulatedTimeSource(wallMs: 1_790_000_000_000)
    ) throws {
        let whole = ShieldService.definition()
        let installed =
            apps
            ?? Dictionary(stores.keys.map { ($0.app, Self.extensions($0.app)) }) { first, _ in first }
        bench = try CoreBench(
            ServiceDefinition(
                name: whole.name,
                migrations: whole.migrations,
                streams: whole.streams,
                load: { database in
                    var state = try whole.load(database)
                    state.household = Household(members)
                    for (name, shields) in stores {
                        var store = NamedStore()
                        store.version = 1
                        store.values[.note] = notes[name].map { .note($0) }
                        state.stores[name] = store
                        state.policy.set(name, shields)
                    }
                    for (app, extensions) in installed { state.apps.installed[app] = extensions }
                    for fact in facts { state.facts.apply(fact) }
                    return state
                },
                routes: whole.routes,
                subscriptions: whole.subscriptions
            ),
            scratch: scratch,
            time: time
        )
    }

    static func store(_ app: String, _ name: String = "main") -> StoreName {
        StoreName(app: app, member: member, store: name)
    }

    static func extensions(_ app: String, configuration: String? = "/x/look", action: String? = "/x/act")
        -> ShieldApps.Extensions
    {
        ShieldApps.Extensions(
            name: "The \(app)",
            configuration: configuration,
            action: action,
            bundle: "/x",
            installedAt: "1"
        )
    }

    static func look(_ title: String, secondary: String? = "Please", submenu: [String] = [])
        -> ShieldAppearance
    {
        let color = ShieldColor(light: "#000000FF", dark: "#FFFFFFFF")
        return ShieldAppearance(
            title: ShieldText(text: title, color: color),
            subtitle: ShieldText(text: "own", color: color),
            primary: ShieldText(text: "Close", color: color),
            secondary: secondary.map { ShieldText(text: $0, color: color) },
            submenu: submenu
        )
    }

    /// Whom the service wants asked about a subject.
    func wanted(_ subject: ShieldSubject, language: String? = nil, app: String? = nil) throws
        -> ShieldAppearanceRequest
    {
        try Self.wanted(.init(subject: subject, language: language, app: app), of: bench)
    }

    private static func wanted(_ request: ShieldAppearanceCall.Request, of bench: CoreBench<ShieldState>)
        throws
        -> ShieldAppearanceRequest
    {
        try bench.step { state, context, _ in
            try ShieldPresentation(language: "en").appearanceRequest(request, state: state, context: context)
        }
    }

    /// Writes a press down, as the companion does before it asks an extension.
    func begin(_ request: ShieldPress.Request) throws -> PressStart {
        try bench.step { try ShieldPresentation.begin(request, state: $0, change: $2) }
    }

    /// From here on the app that is asked answers with this look, and to buttons with this.
    func answer(
        _ look: ShieldAppearance?,
        problem: Problem? = nil,
        missing: String? = nil,
        press: PressCall.Reply? = nil
    ) {
        let own = OwnBench(bench)
        bench.companion = { route, body in
            if route == PressCall.name { return try (press ?? PressCall.Reply()).encodedBody() }
            guard let bench = own.bench else { return try ShieldAppearanceCall.Reply().encodedBody() }
            let wanted = try Self.wanted(try ShieldAppearanceCall.Request.decodedBody(body), of: bench)
            guard let app = wanted.app else { return try ShieldAppearanceCall.Reply().encodedBody() }
            let answer = ShieldAppearanceResult(
                app: app,
                stamp: wanted.stamp,
                look: look,
                problem: problem,
                missing: missing
            )
            return try ShieldAppearanceCall.Reply(answer: answer).encodedBody()
        }
    }

    func show(_ subject: ShieldSubject = .init(app: game), language: String? = nil) throws -> ShieldShow.Reply
    {
        try bench.ask(ShieldShow.self, .init(subject: subject, language: language))
    }

    func press(_ shield: String?, button: ShieldButton, press: Int64) throws -> ShieldPress.Reply {
        try bench.ask(ShieldPress.self, .init(shield: shield ?? "", button: button, press: press))
    }

    func refusal(_ shield: String?, button: ShieldButton, press: Int64) throws -> Problem? {
        try bench.refusal(ShieldPress.self, .init(shield: shield ?? "", button: button, press: press))
    }
}

/// A bench as its own companion has it: not kept by it, or neither would ever go, nor what they wrote.
private struct OwnBench: @unchecked Sendable {
    // @unchecked: a bench is used by one thread, which the compiler cannot see through a companion's closure.
    weak var bench: CoreBench<ShieldState>?

    init(_ bench: CoreBench<ShieldState>) { self.bench = bench }
}
