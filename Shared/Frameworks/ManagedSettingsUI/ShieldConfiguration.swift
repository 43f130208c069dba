public import UIKit

/// The look of a shield; nil parts are the system's.
public struct ShieldConfiguration: Sendable {
    public struct Label: Sendable {
        public let text: String
        public let color: UIColor

        public init(text: String, color: UIColor) {
            self.text = text
            self.color = color
        }
    }

    public let backgroundBlurStyle: UIBlurEffect.Style?
    public let backgroundColor: UIColor?
    public let icon: UIImage?
    public let title: Label?
    public let subtitle: Label?
    public let primaryButtonLabel: Label?
    public let primaryButtonBackgroundColor: UIColor?

    /// Without it there is no second button.
    public let secondaryButtonLabel: Label?

    /// At most three items are shown.
    public let secondaryButtonSubmenuItems: [String]?

    /// The method that is not overridden, when this is the system's own look.
    private(set) var missing: String?

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

    /// The system's own look, for a method that is not overridden.
    static func system(missing method: String) -> ShieldConfiguration {
        var configuration = ShieldConfiguration()
        configuration.missing = method
        return configuration
    }
}
