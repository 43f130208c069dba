package import STContracts
package import STDomain
import STEngine

// Steps that the service takes by itself. Nobody may call them over the bus: they have no role at all.

/// A program of this computer, as its desktop entry has it.
package struct DesktopAppBody: WireBody, Codable, Equatable {
    package var subject: String
    package var name: String?
    package var names: [String: String]
    package var icon: String?
    package var category: String?

    package init(_ app: DesktopApps.App) {
        subject = app.subject
        name = app.name
        names = app.names
        icon = app.icon
        category = app.category?.rawValue
    }

    package var app: DesktopApps.App {
        DesktopApps.App(
            subject: subject,
            name: name,
            names: names,
            icon: icon,
            category: category.flatMap { Category(rawValue: $0) }
        )
    }
}

package enum DesktopTake: Route {
    package struct Request: WireBody, Codable {
        package var apps: [DesktopAppBody]

        package init(_ apps: DesktopApps) {
            self.apps = apps.apps.values.sorted { $0.subject < $1.subject }.map { DesktopAppBody($0) }
        }
    }

    package typealias Reply = Empty

    package static let name = "category.desktop.take"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Takes over the desktop entries of this computer."
}

package enum DesktopDue: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// An app was in front that nobody knows.
        package var isDue: Bool
    }

    package static let name = "category.desktop.due"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "Whether the desktop entries should be read anew."
}

enum CategorySteps {
    static let routes: [ServiceRoute<ActivityState>] = [
        .write(DesktopTake.self) { state, request, _, change in
            var apps = DesktopApps()
            for body in request.apps { apps.put(body.app) }
            try CategoryTelling.take(apps, &state, change)
            return Empty()
        },
        .read(DesktopDue.self) { state, _, _ in DesktopDue.Reply(isDue: !state.categories.unknown.isEmpty) },
    ]
}
