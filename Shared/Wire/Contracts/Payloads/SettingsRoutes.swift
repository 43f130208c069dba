package import STPlatform

/// A named store of one app, like Apple's `ManagedSettingsStore`.
package struct StoreAddress: WireBody, Codable, Equatable, Hashable {
    package var app: String
    /// The member. `nil` means the owner of this computer.
    package var member: String?
    package var store: String

    package init(app: String, member: String? = nil, store: String) {
        self.app = app
        self.member = member
        self.store = store
    }
}

package enum SettingsGet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// The member. `nil` means the owner of this computer.
        package var member: String?
        package var store: String

        package init(app: String, member: String? = nil, store: String) {
            self.app = app
            self.member = member
            self.store = store
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var app: String
        package var member: String
        package var store: String
        /// The number of changes of this store.
        package var version: Int64
        /// The settings as the app set them, including tokens.
        package var settings: [String: JSONValue]

        package init(
            app: String,
            member: String,
            store: String,
            version: Int64,
            settings: [String: JSONValue]
        ) {
            self.app = app
            self.member = member
            self.store = store
            self.version = version
            self.settings = settings
        }
    }

    package static let name = "settings.get"
    package static let kind = RouteKind.read
    package static let summary = "Returns the settings of one store of an app."
}

// These two types are encoded and decoded by hand, because they are read for every shield that is drawn. A test compares them with
// Codable.

extension SettingsGet.Request {
    package func encodedBody() -> [UInt8] {
        var writer = JSONWriter(capacity: 96)
        writer.field("app", app)
        if let member { writer.field("member", member) }
        writer.field("store", store)
        return writer.finish()
    }

    package static func decodedBody(_ bytes: [UInt8]) throws -> SettingsGet.Request {
        var app: String?
        var member: String?
        var store: String?
        try BodyText.read(bytes) { key, cursor in
            if cursor.isKey(key, "app") {
                app = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "member") {
                member = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "store") {
                store = try cursor.stringIfPresent()
            } else {
                try cursor.skipValue()
            }
        }
        return .init(
            app: try BodyText.require(app, "/app"),
            member: member,
            store: try BodyText.require(store, "/store")
        )
    }
}

extension SettingsGet.Reply {
    package func encodedBody() -> [UInt8] {
        var map: [UInt8] = []
        map.reserveCapacity(512)
        JSONValue.append(settings, to: &map)
        var writer = JSONWriter(capacity: map.count + 128)
        writer.field("app", app)
        writer.field("member", member)
        writer.field("store", store)
        writer.field("version", version)
        writer.raw("settings", map)
        return writer.finish()
    }

    package static func decodedBody(_ bytes: [UInt8]) throws -> SettingsGet.Reply {
        var app: String?
        var member: String?
        var store: String?
        var version: Int64?
        var settings: [String: JSONValue]?
        try BodyText.read(bytes) { key, cursor in
            if cursor.isKey(key, "app") {
                app = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "member") {
                member = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "store") {
                store = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "version") {
                version = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "settings") {
                guard case .object(let members) = try JSONValue(&cursor) else { return }
                settings = members
            } else {
                try cursor.skipValue()
            }
        }
        return .init(
            app: try BodyText.require(app, "/app"),
            member: try BodyText.require(member, "/member"),
            store: try BodyText.require(store, "/store"),
            version: try BodyText.require(version, "/version"),
            settings: try BodyText.require(settings, "/settings")
        )
    }
}

package enum SettingsSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// The member. `nil` means the owner of this computer.
        package var member: String?
        package var store: String
        /// The changed settings. `null` removes a setting.
        package var settings: [String: JSONValue]

        package init(app: String, member: String? = nil, store: String, settings: [String: JSONValue]) {
            self.app = app
            self.member = member
            self.store = store
            self.settings = settings
        }
    }

    package typealias Reply = SettingsGet.Reply

    package static let name = "settings.set"
    package static let kind = RouteKind.write
    package static let summary =
        "Changes the named settings of a store, and keeps the others. `null` removes a setting."
}

package enum SettingsClear: Route {
    package typealias Request = StoreAddress

    package typealias Reply = SettingsGet.Reply

    package static let name = "settings.clear"
    package static let kind = RouteKind.write
    package static let summary = "Removes all settings from one store, and keeps the store."
}

package enum SettingsDelete: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        /// The names of the stores. Empty means all stores.
        package var stores: [String]

        package init(app: String, member: String? = nil, stores: [String]) {
            self.app = app
            self.member = member
            self.stores = stores
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The names of the stores that existed.
        package var deleted: [String]

        package init(deleted: [String]) {
            self.deleted = deleted
        }
    }

    package static let name = "settings.delete"
    package static let kind = RouteKind.write
    package static let summary =
        "Deletes the named stores of an app, or all of them if no name is given. Ignores unknown names."
}

/// A store in a list.
package struct StoreView: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var store: String
    package var version: Int64
    /// The number of settings in the store.
    package var count: Int64
    package var isInForce: Bool
    /// The reason why the store is not in force, as a sentence.
    package var problem: Message?
    package var changedAt: String

    package init(
        app: String,
        member: String,
        store: String,
        version: Int64,
        count: Int64,
        isInForce: Bool,
        problem: Message? = nil,
        changedAt: String
    ) {
        self.app = app
        self.member = member
        self.store = store
        self.version = version
        self.count = count
        self.isInForce = isInForce
        self.problem = problem
        self.changedAt = changedAt
    }
}

package enum SettingsList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var member: String?
        package var next: String?

        package init(app: String? = nil, member: String? = nil, next: String? = nil) {
            self.app = app
            self.member = member
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var stores: [StoreView]
        package var next: String?

        package init(stores: [StoreView], next: String? = nil) {
            self.stores = stores
            self.next = next
        }
    }

    package static let name = "settings.list"
    package static let kind = RouteKind.read
    package static let summary = "Lists the stores of all apps, or only those of one app or member."
}

/// One setting that is in force, and the stores that set it.
package struct EffectiveSetting: WireBody, Codable, Equatable {
    package var setting: String
    package var value: JSONValue
    /// The stores that set the value. The prevailing store is first.
    package var by: [StoreAddress]
    /// The number of omitted apps and sites in the value, and of omitted stores. `nil` if there are none.
    package var more: Int64?

    package init(setting: String, value: JSONValue, by: [StoreAddress], more: Int64? = nil) {
        self.setting = setting
        self.value = value
        self.by = by
        self.more = more
    }
}

package enum SettingsEffective: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        package var policy: Int64
        /// The settings that an app has set.
        package var settings: [EffectiveSetting]
        /// The number of settings that did not fit. `nil` if all are included.
        package var more: Int64?

        package init(member: String, policy: Int64, settings: [EffectiveSetting], more: Int64? = nil) {
            self.member = member
            self.policy = policy
            self.settings = settings
            self.more = more
        }
    }

    package static let name = "settings.effective"
    package static let kind = RouteKind.read
    package static let summary =
        "Returns the settings that are in force for one member, from all stores together."
}
