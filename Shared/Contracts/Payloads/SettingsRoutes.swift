/// A named store of one app, as ManagedSettingsStore has it.
package struct StoreAddress: WireBody, Codable, Equatable, Hashable {
    package var app: String
    package var store: String

    package init(app: String, store: String) {
        self.app = app
        self.store = store
    }
}

package enum SettingsGet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var store: String

        package init(app: String, store: String) {
            self.app = app
            self.store = store
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var app: String
        package var store: String
        /// Counts the changes of this store.
        package var version: Int64
        package var settings: [String: JSONValue]

        package init(app: String, store: String, version: Int64, settings: [String: JSONValue]) {
            self.app = app
            self.store = store
            self.version = version
            self.settings = settings
        }
    }

    package static let name = "settings.get"
    package static let kind = RouteKind.read
    package static let summary = "What one app has set in one of its stores."
}

package enum SettingsSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var store: String
        /// A null takes the setting away.
        package var settings: [String: JSONValue]

        package init(app: String, store: String, settings: [String: JSONValue]) {
            self.app = app
            self.store = store
            self.settings = settings
        }
    }

    package typealias Reply = SettingsGet.Reply

    package static let name = "settings.set"
    package static let kind = RouteKind.write
    package static let summary = "Changes the settings named and leaves the others; null takes one away."
}

package enum SettingsList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var next: String?

        package init(app: String? = nil, next: String? = nil) {
            self.app = app
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var stores: [StoreAddress]
        package var next: String?

        package init(stores: [StoreAddress], next: String?) {
            self.stores = stores
            self.next = next
        }
    }

    package static let name = "settings.list"
    package static let kind = RouteKind.read
    package static let summary = "The named stores there are, of one app or of all."
}

package enum SettingsChanged: EventType {
    package typealias Body = SettingsGet.Reply

    package static let stream = StreamName.policy
    package static let type = "policy.settings.changed"
    package static let summary = "A store holds these settings from now on."
}
