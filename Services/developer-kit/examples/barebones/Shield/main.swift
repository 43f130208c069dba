import ManagedSettings
import ManagedSettingsUI
import STAppSupport
import STBarebonesKit
import UIKit

/// Provides the text and appearance of the shield.
final class BarebonesShield: ShieldConfigurationDataSource {
    private let words = BarebonesWords(.current)
    private let accent = UIColor(named: "AccentColor") ?? .systemBlue
    /// A colour for the button. In dark appearance it is darker than the accent, so that white text is readable on it.
    private let button = UIColor(named: "ButtonColor") ?? .systemBlue

    override func configuration(shielding application: Application) -> ShieldConfiguration {
        shield(words.restricted(application.localizedDisplayName))
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        shield(
            words.restricted(application.localizedDisplayName, in: category.localizedDisplayName),
            hasSecondButton: true
        )
    }

    override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        shield(words.restricted(webDomain.domain))
    }

    override func configuration(shielding webDomain: WebDomain, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        shield(
            words.restricted(webDomain.domain, in: category.localizedDisplayName),
            hasSecondButton: true
        )
    }

    private func shield(_ subtitle: String, hasSecondButton: Bool = false) -> ShieldConfiguration {
        ShieldConfiguration(
            backgroundBlurStyle: .systemChromeMaterial,
            backgroundColor: .systemBackground,
            icon: UIImage(named: "AppSymbol"),
            title: ShieldConfiguration.Label(text: words.title, color: accent),
            subtitle: ShieldConfiguration.Label(text: subtitle, color: .label),
            primaryButtonLabel: ShieldConfiguration.Label(text: words.close, color: .white),
            primaryButtonBackgroundColor: button,
            secondaryButtonLabel: hasSecondButton
                ? ShieldConfiguration.Label(text: words.withoutEffect, color: accent) : nil
        )
    }
}

ExtensionMain.run { BarebonesShield() }
