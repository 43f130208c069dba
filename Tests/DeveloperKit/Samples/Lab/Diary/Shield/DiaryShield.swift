import Foundation
import ManagedSettings
import ManagedSettingsUI
import UIKit

final class DiaryShield: ShieldConfigurationDataSource {
    override func configuration(shielding application: Application) -> ShieldConfiguration {
        let entries = (try? Book.entries(of: Book.day(.now))) ?? []
        return ShieldConfiguration(
            title: .init(
                text: "\(entries.count) written, last: \(entries.first?.text ?? "nothing")",
                color: .label
            ),
            primaryButtonLabel: .init(text: "Close", color: .white)
        )
    }

    override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        configuration(shielding: application)
    }
}
