import FamilyControls
import ManagedSettings
import ManagedSettingsUI
import STAppSupport
import STWorklogKit
import UIKit

/// Provides a shield that explains when the app opens again.
final class WorklogShield: ShieldConfigurationDataSource {
    private let words = WorklogWords(.current)
    private let store = WorklogStore()

    override func configuration(shielding application: Application) -> ShieldConfiguration {
        shield(application.localizedDisplayName, isGame: true)
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        shield(application.localizedDisplayName, isGame: isGame(category))
    }

    override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        shield(webDomain.domain, isGame: true)
    }

    override func configuration(shielding webDomain: WebDomain, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        shield(webDomain.domain, isGame: isGame(category))
    }

    /// Returns true if the category is not among the chosen social categories.
    private func isGame(_ category: ActivityCategory) -> Bool {
        guard let token = category.token, let social = try? store.shielded(.social) else { return true }
        return !social.categoryTokens.contains(token)
    }

    private func shield(_ name: String?, isGame: Bool) -> ShieldConfiguration {
        let subtitle =
            isGame
            ? words.workFirst(name, store.hours)
            : words.inTheEvening(name, hasEvenings: store.hasEvenings)
        return ShieldConfiguration(
            backgroundBlurStyle: .systemThickMaterial,
            icon: UIImage(named: "Briefcase"),
            title: ShieldConfiguration.Label(
                text: isGame ? words.shieldTitle : words.eveningTitle,
                color: .label
            ),
            subtitle: ShieldConfiguration.Label(text: subtitle, color: .secondaryLabel),
            primaryButtonLabel: ShieldConfiguration.Label(text: words.backToWork, color: .white),
            primaryButtonBackgroundColor: UIColor { traits in
                traits.userInterfaceStyle == .dark
                    ? UIColor(red: 0.91, green: 0.56, blue: 0.22, alpha: 1)
                    : UIColor(red: 0.72, green: 0.36, blue: 0.05, alpha: 1)
            }
        )
    }
}

ExtensionMain.run { WorklogShield() }
