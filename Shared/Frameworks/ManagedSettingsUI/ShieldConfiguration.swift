public import UIKit

/// What a shield looks like; what is nil is left to the system.
public struct ShieldConfiguration: Sendable {
    /// Words and their colour.
    public struct Label: Sendable {
        /// The words.
        public let text: String

        /// Their colour.
        public let color: UIColor

        /// These words in that colour.
        public init(text: String, color: UIColor) {
            self.text = text
            self.color = color
        }
    }

    /// How what lies behind is blurred.
    public let backgroundBlurStyle: UIBlurEffect.Style?

    /// The colour over what lies behind.
    public let backgroundColor: UIColor?

    /// The picture in the middle.
    public let icon: UIImage?

    /// The words below the picture.
    public let title: Label?

    /// The words below those.
    public let subtitle: Label?

    /// The words on the first button.
    public let primaryButtonLabel: Label?

    /// The colour of the first button.
    public let primaryButtonBackgroundColor: UIColor?

    /// The words on the second button; without them there is none.
    public let secondaryButtonLabel: Label?

    /// The menu of the second button; at most three are shown.
    public let secondaryButtonSubmenuItems: [String]?

    /// The method that nobody has overridden, when it is the system's own.
    private(set) var missing: String?

    /// A look without a menu.
    public init(
        backgroundBlurStyle: UIBlurEffect.Style? = nil,
        backgroundColor: UIColor? = nil,
        icon: UIImage? = nil,
        title: ShieldConfiguration.Label? = nil,
        subtitle: ShieldConfiguration.Label? = nil,
        primaryButtonLabel: ShieldConfiguration.Label? = nil,
        primaryButtonBackgroundColor: UIColor? = nil,
        secondaryButtonLabel: ShieldConfiguration.Label? = nil
    ) {
        self.init(
            backgroundBlurStyle: backgroundBlurStyle,
            backgroundColor: backgroundColor,
            icon: icon,
            title: title,
            subtitle: subtitle,
            primaryButtonLabel: primaryButtonLabel,
            primaryButtonBackgroundColor: primaryButtonBackgroundColor,
            secondaryButtonLabel: secondaryButtonLabel,
            secondaryButtonSubmenuItems: nil
        )
    }

    /// A look whose second button opens a menu.
    public init(
        backgroundBlurStyle: UIBlurEffect.Style? = nil,
        backgroundColor: UIColor? = nil,
        icon: UIImage? = nil,
        title: ShieldConfiguration.Label? = nil,
        subtitle: ShieldConfiguration.Label? = nil,
        primaryButtonLabel: ShieldConfiguration.Label? = nil,
        primaryButtonBackgroundColor: UIColor? = nil,
        secondaryButtonLabel: ShieldConfiguration.Label? = nil,
        secondaryButtonSubmenuItems: [String]?
    ) {
        self.backgroundBlurStyle = backgroundBlurStyle
        self.backgroundColor = backgroundColor
        self.icon = icon
        self.title = title
        self.subtitle = subtitle
        self.primaryButtonLabel = primaryButtonLabel
        self.primaryButtonBackgroundColor = primaryButtonBackgroundColor
        self.secondaryButtonLabel = secondaryButtonLabel
        self.secondaryButtonSubmenuItems = secondaryButtonSubmenuItems
    }

    /// The system's own look, because nobody has overridden that method.
    static func system(missing method: String) -> ShieldConfiguration {
        var configuration = ShieldConfiguration()
        configuration.missing = method
        return configuration
    }
}
