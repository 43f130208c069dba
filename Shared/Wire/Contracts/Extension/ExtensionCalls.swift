/// The callbacks of a monitor extension, by Apple's base names.
package enum MonitorMethod: String, WireEnum {
    case intervalDidStart, intervalDidEnd, eventDidReachThreshold
    case intervalWillStartWarning, intervalWillEndWarning, eventWillReachThresholdWarning
    /// Only for built-in rules.
    case eventDidReturn
    case unknown
}

/// The arguments of a monitor's callback: only names, as in Apple's API.
package struct MonitorCallBody: WireBody, Codable, Equatable {
    package var activity: String
    package var event: String?

    package init(activity: String, event: String? = nil) {
        self.activity = activity
        self.event = event
    }
}

/// A shielded app, site or category as an extension receives it: with the token for the extension's own app.
package struct ShieldSubjectBody: WireBody, Codable, Equatable {
    /// The id of the app or category, or the name of the site.
    package var id: String
    /// The token in base64.
    package var token: String
    package var name: String?

    package init(id: String, token: String, name: String? = nil) {
        self.id = id
        self.token = token
        self.name = name
    }
}

/// The arguments of a call to a shield-configuration extension.
package struct ShieldConfigurationBody: WireBody, Codable, Equatable {
    package var application: ShieldSubjectBody?
    package var webDomain: ShieldSubjectBody?
    /// The category, if the app or site is shielded because of its category.
    package var category: ShieldSubjectBody?
    package var language: String?

    package init(
        application: ShieldSubjectBody? = nil,
        webDomain: ShieldSubjectBody? = nil,
        category: ShieldSubjectBody? = nil,
        language: String? = nil
    ) {
        self.application = application
        self.webDomain = webDomain
        self.category = category
        self.language = language
    }
}

/// The result of a call to a shield-configuration extension.
package struct ShieldConfigurationResult: WireBody, Codable, Equatable {
    package var look: ShieldAppearance
    /// Apple's name of the method that the extension does not override, if `look` is the system's own.
    package var missing: String?

    package init(look: ShieldAppearance, missing: String? = nil) {
        self.look = look
        self.missing = missing
    }
}

/// The arguments of a call to a shield-action extension: only tokens, as on a phone.
package struct ShieldActionBody: WireBody, Codable, Equatable {
    package var action: ShieldButton
    /// The token of the app. Exactly one of `application`, `category` and `webDomain` is set.
    package var application: String?
    package var category: String?
    package var webDomain: String?
    package var language: String?

    package init(
        action: ShieldButton,
        application: String? = nil,
        category: String? = nil,
        webDomain: String? = nil,
        language: String? = nil
    ) {
        self.action = action
        self.application = application
        self.category = category
        self.webDomain = webDomain
        self.language = language
    }
}

/// The result of a call to a shield-action extension.
package struct ShieldActionResult: WireBody, Codable, Equatable {
    package var response: ShieldResponse

    package init(response: ShieldResponse) {
        self.response = response
    }
}

/// The methods of the two kinds of shield extensions.
package enum ShieldMethod: String, WireEnum {
    case configuration
    case handle
    case unknown
}

/// A colour, as `#RRGGBBAA`, for a light and for a dark desktop.
package struct ShieldColor: WireBody, Codable, Equatable {
    package var light: String
    package var dark: String

    package init(light: String, dark: String) {
        self.light = light
        self.dark = dark
    }
}

/// A text of a shield with its colour.
package struct ShieldText: WireBody, Codable, Equatable {
    package var text: String
    package var color: ShieldColor

    package init(text: String, color: ShieldColor) {
        self.text = text
        self.color = color
    }
}

/// The source of a shield's icon.
package enum ShieldIconKind: String, WireEnum {
    case data
    case file
    case system
    case unknown
}

/// The icon of a shield.
package struct ShieldIcon: WireBody, Codable, Equatable {
    package var kind: ShieldIconKind
    /// For `data`: a PNG, JPEG or SVG file in base64.
    package var data: String?
    /// For `file`: an absolute path within the bundle. For `system`: a name such as `hourglass`.
    package var name: String?
    /// For `file`: the path of the icon for dark desktops, if there is one.
    package var darkName: String?
    package var tint: ShieldColor?

    /// The maximum number of bytes that `data` encodes.
    package static let dataBytesMax = 128 * 1024

    package init(
        kind: ShieldIconKind,
        data: String? = nil,
        name: String? = nil,
        darkName: String? = nil,
        tint: ShieldColor? = nil
    ) {
        self.kind = kind
        self.data = data
        self.name = name
        self.darkName = darkName
        self.tint = tint
    }
}

/// The look of a shield. The system provides the parts that are `nil`.
package struct ShieldAppearance: WireBody, Codable, Equatable {
    /// Apple's name of a blur style, such as `systemThickMaterial`.
    package var blur: String?
    package var background: ShieldColor?
    package var icon: ShieldIcon?
    package var title: ShieldText?
    package var subtitle: ShieldText?
    package var primary: ShieldText?
    package var primaryBackground: ShieldColor?
    package var secondary: ShieldText?
    /// The entries of the menu. An app's menu shows at most three.
    package var submenu: [String]

    package init(
        blur: String? = nil,
        background: ShieldColor? = nil,
        icon: ShieldIcon? = nil,
        title: ShieldText? = nil,
        subtitle: ShieldText? = nil,
        primary: ShieldText? = nil,
        primaryBackground: ShieldColor? = nil,
        secondary: ShieldText? = nil,
        submenu: [String]
    ) {
        self.blur = blur
        self.background = background
        self.icon = icon
        self.title = title
        self.subtitle = subtitle
        self.primary = primary
        self.primaryBackground = primaryBackground
        self.secondary = secondary
        self.submenu = submenu
    }
}
