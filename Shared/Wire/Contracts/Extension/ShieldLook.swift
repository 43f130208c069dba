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

/// Where the picture of a shield comes from.
package enum ShieldIconKind: String, WireEnum {
    case data
    case file
    case system
    case unknown
}

/// The picture of a shield.
package struct ShieldIcon: WireBody, Codable, Equatable {
    package var kind: ShieldIconKind
    /// Of `data`: a PNG or JPEG in base64.
    package var data: String?
    /// Of `file` an absolute path within the bundle; of `system` a name such as `hourglass`.
    package var name: String?
    /// Of `file`: the one for dark desktops, where there is one.
    package var darkName: String?
    package var tint: ShieldColor?

    /// Of the bytes that `data` stands for.
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

/// What a shield looks like; what is nil is left to the system.
package struct ShieldLook: WireBody, Codable, Equatable {
    /// Apple's name of a blur style, such as `systemThickMaterial`.
    package var blur: String?
    package var background: ShieldColor?
    package var icon: ShieldIcon?
    package var title: ShieldText?
    package var subtitle: ShieldText?
    package var primary: ShieldText?
    package var primaryBackground: ShieldColor?
    package var secondary: ShieldText?
    /// At most three are shown.
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
