import STContracts
import STEngine
import STPlatform

/// The apps whose extensions may be called.
enum Apps {
    private static let appsMax = 200
    private static let installed = Message("history-value.installed", "installed")

    static func install(
        _ request: AppInstall.Request,
        state: inout AuthState,
        change: StoreTransaction
    ) throws -> AppInstall.Reply {
        let (manifest, bundle) = try BundleCheck.read(request)
        let known = state.apps[manifest.id]
        guard known != nil || state.apps.count < appsMax else {
            throw Problem(
                "app.too_many",
                "\(appsMax, "most") apps are installed, which is the limit. Remove one first.",
                help: "screentime app list"
            )
        }
        if let known, known.manifest == manifest, known.bundle == bundle {
            return AppInstall.Reply(app: known, replaced: true)
        }
        let app = InstalledApp(
            manifest: manifest,
            bundle: bundle,
            installedAt: RFC3339.text(wallMs: change.now.wallMs)
        )
        try AppTable.save(app, change.database)
        try change.emit(AppInstalled.self, subject: "app/\(manifest.id)", app)
        try change.recordHistory(HistoryLine(.app, about: manifest.id, after: installed))
        state.apps[manifest.id] = app
        return AppInstall.Reply(app: app, replaced: known != nil)
    }

    static func list(_ request: AppList.Request, _ state: AuthState) throws -> AppList.Reply {
        let all = state.apps.values.sorted { $0.manifest.id < $1.manifest.id }
        let page = try OffsetPage.slice(all, next: request.next)
        return AppList.Reply(apps: page.rows, next: page.next)
    }

    static func remove(
        _ request: AppRemove.Request,
        passcodes: Passcodes,
        state: inout AuthState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> AppRemove.Reply {
        guard let app = state.apps[request.app] else { return AppRemove.Reply(removed: false) }
        let isChilds = state.authorizations.values.contains {
            $0.app == request.app && $0.status == .approved && $0.scope == .child
        }
        if isChilds,
            let refusal = try passcodes.proveGuardian(
                by: request.by,
                passcode: request.passcode,
                deciding: Message(
                    "auth.decision-removal",
                    "Removing an app that a guardian allowed for a child"
                ),
                purpose: Message("purpose.remove", "remove \(app.manifest.name, "name")"),
                state: &state,
                context: context,
                change: change
            )
        {
            return AppRemove.Reply(removed: false, refusal: refusal)
        }
        try Questions.close(&state, change: change) { $0.app == request.app }
        for known in Permissions.sorted(state)
        where known.app == request.app && known.status != .notDetermined {
            try Permissions.end(known, as: .notDetermined, state: &state, change: change)
        }
        try AppTable.remove(request.app, change.database)
        try change.emit(AppRemoved.self, subject: "app/\(request.app)", AppRemovedBody(app: request.app))
        try change.recordHistory(HistoryLine(.app, about: request.app, before: installed))
        state.apps[request.app] = nil
        return AppRemove.Reply(removed: true)
    }

    static func installed(_ id: String, _ state: AuthState) throws -> InstalledApp {
        try checkID(id)
        if let app = state.apps[id] { return app }
        let near = TextFormat.closest(to: id, in: state.apps.keys.sorted())
        throw Problem(
            "app.not_installed",
            text: near.map {
                Message(
                    "app.not_installed.no-app-did-you-mean",
                    "The app \(TextLimit.shown(id), "app") is not installed. Did you mean \($0, "near")?"
                )
            }
                ?? Message(
                    "app.not_installed.no-app",
                    "The app \(TextLimit.shown(id), "app") is not installed."
                ),
            field: "/app",
            help: near == nil ? "screentime app install FOLDER" : "screentime app list"
        )
    }

    static func checkID(_ id: String) throws {
        guard ManifestReader.isID(id) else {
            throw Problem(
                "app.bad_id",
                "An app's id must consist of 1 to 128 letters, digits, dots, dashes or underscores.",
                field: "/app"
            )
        }
    }

    static func hasMonitor(_ id: String, _ state: AuthState) -> Bool {
        if BuiltIn.isBuiltIn(id) { return true }
        return state.apps[id]?.manifest.extensions.contains { $0.point == ExtensionPoint.monitor.rawValue }
            ?? false
    }
}
