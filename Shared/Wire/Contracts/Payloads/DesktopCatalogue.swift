/// Where an installed app comes from.
package enum AppOrigin: String, WireEnum {
    case system
    case user
    case flatpak
    case snap
    case unknown
}

/// An app that somebody can start on this computer.
package struct CatalogueApp: WireBody, Codable, Equatable {
    package var app: String
    package var name: String
    /// The path of a picture, or the name of an icon where none was found.
    package var icon: String?
    package var category: String
    package var origin: AppOrigin

    package init(app: String, name: String, icon: String? = nil, category: String, origin: AppOrigin) {
        self.app = app
        self.name = name
        self.icon = icon
        self.category = category
        self.origin = origin
    }
}

package enum DesktopCatalogue: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Such as `ko`; nil is the language of the service.
        package var language: String?
        package var next: String?
        package var limit: Int64?

        package init(language: String? = nil, next: String? = nil, limit: Int64? = nil) {
            self.language = language
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var apps: [CatalogueApp]
        /// Another one when something was installed or removed since: then begin anew.
        package var version: Int64
        package var next: String?

        package init(apps: [CatalogueApp], version: Int64, next: String? = nil) {
            self.apps = apps
            self.version = version
            self.next = next
        }
    }

    package static let limitMax: Int64 = 200
    package static let name = "desktop.apps"
    package static let kind = RouteKind.read
    package static let summary = "The apps installed on this computer, by name, a page at a time."
}
