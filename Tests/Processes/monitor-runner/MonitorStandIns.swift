import STContracts
import STEngine
import STPlatform

/// The memory of the stand-ins: the permissions.
struct StandInState: Sendable {
    var allowed: Set<String> = []
    var monitors: Set<String> = []
    /// Permissions that exist and are not published yet.
    var untold: [Authorization] = []
}

/// Publishes occurrences that call an app.
enum TestHappen: Route {
    struct Request: WireBody, Codable {
        var occurrences: [ActivityOccurrence]
    }

    typealias Reply = Empty

    static let name = "test.happen"
    static let kind = RouteKind.write
    static let summary = "Publishes occurrences."
}

/// Installs an app and sets a member's permission for it.
enum TestAllow: Route {
    struct Request: WireBody, Codable {
        var app: String
        var member: String
        /// `nil` if the app has no monitor.
        var executable: String?
        var status: AuthorizationStatus
        /// True if the permission exists but is not published yet.
        var isLate: Bool
    }

    typealias Reply = Empty

    static let name = "test.allow"
    static let kind = RouteKind.write
    static let summary = "Publishes an app and a word."
}

enum MonitorStandIns {
    static let activity = ServiceDefinition<StandInState>(
        name: .activity,
        streams: [.activity],
        load: { _ in StandInState() },
        routes: [
            .write(TestHappen.self) { _, request, _, change in
                for occurrence in request.occurrences { try emit(occurrence, change) }
                return Empty()
            },
            // The built-in rules request it at their start.
            .read(ActivityList.self) { _, _, _ in ActivityList.Reply(activities: []) },
        ]
    )

    private static func emit(_ occurrence: ActivityOccurrence, _ change: StoreTransaction) throws {
        let subject = "\(occurrence.app)/\(occurrence.member)/\(occurrence.activity)"
        switch occurrence.occasion {
        case .intervalEnded: try change.emit(IntervalEnded.self, subject: subject, occurrence)
        case .thresholdReached: try change.emit(ThresholdReached.self, subject: subject, occurrence)
        default: try change.emit(IntervalStarted.self, subject: subject, occurrence)
        }
    }

    static let auth = ServiceDefinition<StandInState>(
        name: .auth,
        streams: [.authorization],
        load: { _ in StandInState() },
        routes: [
            .write(TestAllow.self) { state, request, _, change in
                let member = Member(name: request.member, role: .child)
                try change.emit(MemberAdded.self, subject: "member/\(member.name)", member)
                try install(request, change)
                if request.executable != nil { state.monitors.insert(request.app) }
                let word = word(request)
                if request.status == .approved { state.allowed.insert(request.app) }
                if request.isLate { state.untold.append(word) } else { try tell(word, change) }
                return Empty()
            },
            .query(AuthCheck.self) { state, request, _, _ in
                let isAllowed = state.allowed.contains(request.app)
                return AuthCheck.Reply(
                    authorization: Authorization(
                        app: request.app,
                        member: request.member ?? "",
                        status: isAllowed ? .approved : .notDetermined,
                        scope: .individual,
                        access: isAllowed,
                        enforce: true,
                        generation: 1
                    ),
                    items: [],
                    hasMonitor: state.monitors.contains(request.app)
                )
            },
        ]
    )

    private static func word(_ request: TestAllow.Request) -> Authorization {
        Authorization(
            app: request.app,
            member: request.member,
            status: request.status,
            scope: .individual,
            access: request.status == .approved,
            enforce: true,
            generation: 1
        )
    }

    private static func tell(_ word: Authorization, _ change: StoreTransaction) throws {
        try change.emit(AuthorizationChanged.self, subject: "\(word.app)/\(word.member)", word)
    }

    private static func install(_ request: TestAllow.Request, _ change: StoreTransaction) throws {
        let monitor = request.executable.map { executable in
            ManifestExtension(
                point: ExtensionPoint.monitor.rawValue,
                executable: executable,
                protocolVersion: 1,
                entitlements: []
            )
        }
        let manifest = AppManifest(
            id: request.app,
            name: request.app,
            version: "1",
            protocolVersion: 1,
            entitlements: [],
            groups: [],
            extensions: monitor.map { [$0] } ?? []
        )
        let app = InstalledApp(manifest: manifest, bundle: "/", installedAt: "")
        try change.emit(AppInstalled.self, subject: request.app, app)
    }
}
