import ManagedSettings
import ManagedSettingsUI
import UIKit
import os

class EmberShield: ShieldConfigurationDataSource {
    override func configuration(shielding application: Application) -> ShieldConfiguration {
        Logger(subsystem: "dev.example.ember", category: "shield").notice("a shield is asked for")
        return ShieldConfiguration(
            title: .init(text: "The embers glow, \(Coals.count) looked", color: .orange),
            primaryButtonLabel: .init(text: "Leave", color: .white),
            secondaryButtonLabel: .init(text: "Look", color: .white)
        )
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        configuration(shielding: application)
    }
}
