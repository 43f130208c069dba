package import STPlatform

/// An extension of an app, as the app's manifest declares it.
package struct ManifestExtension: WireBody, Codable, Equatable {
    /// Apple's identifier of the extension point.
    package var point: String
    package var executable: String
    package var protocolVersion: Int64
    package var entitlements: [String]

    package init(point: String, executable: String, protocolVersion: Int64, entitlements: [String]) {
        self.point = point
        self.executable = executable
        self.protocolVersion = protocolVersion
        self.entitlements = entitlements
    }
}

/// The contents of an app's manifest.json.
package struct AppManifest: WireBody, Codable, Equatable {
    package var id: String
    package var name: String
    package var version: String
    package var protocolVersion: Int64
    package var entitlements: [String]
    package var groups: [String]
    package var executable: String?
    package var extensions: [ManifestExtension]
    /// The device model of this computer in the filters of the app's reports, such as `iPhone`.
    package var deviceModel: String?

    package init(
        id: String,
        name: String,
        version: String,
        protocolVersion: Int64,
        entitlements: [String],
        groups: [String],
        executable: String? = nil,
        extensions: [ManifestExtension],
        deviceModel: String? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.protocolVersion = protocolVersion
        self.entitlements = entitlements
        self.groups = groups
        self.executable = executable
        self.extensions = extensions
        self.deviceModel = deviceModel
    }
}

/// An installed app. Screen Time may call its extensions.
package struct InstalledApp: WireBody, Codable, Equatable {
    /// The manifest. Its executables are absolute paths.
    package var manifest: AppManifest
    package var bundle: String
    package var installedAt: String

    package init(manifest: AppManifest, bundle: String, installedAt: String) {
        self.manifest = manifest
        self.bundle = bundle
        self.installedAt = installedAt
    }
}

package enum AppInstall: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The absolute path of the folder that contains manifest.json.
        package var bundle: String
        /// The folder of executables that are not in the bundle.
        package var programs: String?

        package init(bundle: String, programs: String? = nil) {
            self.bundle = bundle
            self.programs = programs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var app: InstalledApp
        package var replaced: Bool

        package init(app: InstalledApp, replaced: Bool) {
            self.app = app
            self.replaced = replaced
        }
    }

    package static let name = "app.install"
    package static let kind = RouteKind.write
    package static let summary = "Checks an app and its extensions, and installs it."
}

package enum AppList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var next: String?

        package init(next: String? = nil) {
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var apps: [InstalledApp]
        package var next: String?

        package init(apps: [InstalledApp], next: String? = nil) {
            self.apps = apps
            self.next = next
        }
    }

    package static let name = "app.list"
    package static let kind = RouteKind.read
    package static let summary = "Lists the installed apps."
}

package enum AppRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// The guardian who decides, with `passcode`. Required if a child has the app.
        package var by: String?
        package var passcode: String?

        package init(app: String, by: String? = nil, passcode: String? = nil) {
            self.app = app
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// False if the app was not installed, or if the request was refused.
        package var removed: Bool
        /// The reason why the app was not removed. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(removed: Bool, refusal: Problem? = nil) {
            self.removed = removed
            self.refusal = refusal
        }
    }

    package static let name = "app.remove"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Removes an app. Ends its permissions and the monitoring of its activities."
}

package enum AppInstalled: EventType {
    package typealias Body = InstalledApp

    package static let stream = StreamName.authorization
    package static let type = "authorization.app.installed"
    package static let summary = "An app was installed. Its extensions may be called from now on."
}

package struct AppRemovedBody: WireBody, Codable, Equatable {
    package var app: String

    package init(app: String) {
        self.app = app
    }
}

package enum AppRemoved: EventType {
    package typealias Body = AppRemovedBody

    package static let stream = StreamName.authorization
    package static let type = "authorization.app.removed"
    package static let summary = "An app was removed."
}

/// The kinds of things that tokens represent.
package enum TokenKind: String, WireEnum {
    case application
    case category
    case domain
    case unknown
}

/// An app, category or site that a person can choose.
package struct TokenItem: WireBody, Codable, Equatable, Hashable {
    package var kind: TokenKind
    /// The canonical name: an app id, a category or a domain.
    package var id: String

    package init(kind: TokenKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

package enum TokenIssue: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var items: [TokenItem]

        package init(app: String, member: String? = nil, items: [TokenItem]) {
            self.app = app
            self.member = member
            self.items = items
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The tokens in base64, in the order of the items.
        package var tokens: [String]

        package init(tokens: [String]) {
            self.tokens = tokens
        }
    }

    package static let name = "token.issue"
    package static let kind = RouteKind.query
    package static let summary =
        "Returns opaque tokens for apps, categories and sites. "
        + "An item keeps its token until the permission is revoked or the key changes."
}

package enum TokenResolve: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var tokens: [String]

        package init(app: String, member: String? = nil, tokens: [String]) {
            self.app = app
            self.member = member
            self.tokens = tokens
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var items: [TokenItem]

        package init(items: [TokenItem]) {
            self.items = items
        }
    }

    package static let name = "token.resolve"
    package static let kind = RouteKind.query
    package static let summary = "Returns the apps, categories and sites that an app's tokens represent."
}

package enum TokenRekey: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var keyVersion: Int64

        package init(keyVersion: Int64) {
            self.keyVersion = keyVersion
        }
    }

    package static let name = "token.rekey"
    package static let kind = RouteKind.write
    package static let summary = "Creates a new key for new tokens. Existing tokens remain readable."
}

package struct TokensRekeyedBody: WireBody, Codable, Equatable {
    package var keyVersion: Int64

    package init(keyVersion: Int64) {
        self.keyVersion = keyVersion
    }
}

package enum TokensRekeyed: EventType {
    package typealias Body = TokensRekeyedBody

    package static let stream = StreamName.authorization
    package static let type = "authorization.tokens.rekeyed"
    package static let summary = "New tokens are sealed with this version of the key from now on."
}
