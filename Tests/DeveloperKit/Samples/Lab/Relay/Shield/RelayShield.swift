import ManagedSettings
import ManagedSettingsUI
import UIKit

final class RelayShield: ShieldConfigurationDataSource {
    override func configuration(shielding application: Application) -> ShieldConfiguration {
        let heard = Watchword.group?.integer(forKey: "heard") ?? 0
        return ShieldConfiguration(
            title: .init(text: "The word is \(Watchword.current ?? "lost"), \(heard) heard", color: .label),
            primaryButtonLabel: .init(text: "Close", color: .white)
        )
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        configuration(shielding: application)
    }
}
