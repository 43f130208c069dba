import Foundation
import ManagedSettings
import ManagedSettingsUI

final class HalloShield: ShieldConfigurationDataSource {
    override func configuration(shielding application: Application) -> ShieldConfiguration {
        let name = application.localizedDisplayName ?? "?"
        let rests = Bundle.main.localizedString(forKey: "%@ rests", value: nil, table: "More")
        return ShieldConfiguration(
            title: .init(text: NSLocalizedString("shield.title", comment: ""), color: .label),
            subtitle: .init(text: String(format: rests, name), color: .secondaryLabel),
            primaryButtonLabel: .init(text: String(localized: "Close", table: "More"), color: .white)
        )
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        configuration(shielding: application)
    }
}
