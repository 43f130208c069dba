/// A named store of one app, as ManagedSettingsStore has it.
package struct StoreAddress: WireBody, Codable, Equatable, Hashable {
    package var app: String
    /// Nil is the owner of this computer.
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
        /// Nil is the owner of this computer.
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
        /// Counts the changes of this store.
        package var version: Int64
        /// As the app set them, tokens and all.
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
    package static let summary = "What one app has set in one of its stores."
}

// Read for every shield that is drawn, so these two are written and read by hand; a test holds them against Codable.

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
            app: try BodyText.need(app, "/app"),
            member: member,
            store: try BodyText.need(store, "/store")
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
            app: try BodyText.need(app, "/app"),
            member: try BodyText.need(member, "/member"),
            store: try BodyText.need(store, "/store"),
            version: try BodyText.need(version, "/version"),
            settings: try BodyText.need(settings, "/settings")
        )
    }
}

package enum SettingsSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// Nil is the owner of this computer.
        package var member: String?
        package var store: String
        /// A null takes the setting away.
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
    package static let summary = "Changes the settings named and leaves the others; null takes one away."
}
