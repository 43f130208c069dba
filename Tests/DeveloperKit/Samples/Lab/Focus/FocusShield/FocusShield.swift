import ManagedSettings
import ManagedSettingsUI
import UIKit

nonisolated class FocusShield: ShieldConfigurationDataSource {
    override func configuration(shielding application: Application) -> ShieldConfiguration {
        let book = FocusBook()
        return ShieldConfiguration(
            backgroundBlurStyle: .systemThickMaterialDark,
            backgroundColor: UIColor(named: "Night"),
            icon: UIImage(systemName: "moon.stars"),
            title: .init(text: book.words, color: .white),
            subtitle: .init(text: application.localizedDisplayName ?? "This app", color: .lightGray),
            primaryButtonLabel: .init(text: "Close", color: .white),
            primaryButtonBackgroundColor: .systemIndigo
        )
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        configuration(shielding: application)
    }
}
