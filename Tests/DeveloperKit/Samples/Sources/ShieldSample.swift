import ManagedSettings
import ManagedSettingsUI
import UIKit

// A typical extension: three modules, a helper and all four methods.
package class ShieldSample: ShieldConfigurationDataSource {
    let titleColor = UIColor(red: 20 / 255, green: 0.5, blue: 1.0, alpha: 1)
    let ground = UIColor { (traits: UITraitCollection) -> UIColor in
        switch traits.userInterfaceStyle {
        case .dark: return UIColor(white: 0.1, alpha: 0.9)
        default: return .secondarySystemBackground
        }
    }
    private let defaults = UserDefaults(suiteName: "group.sample")

    package override init() { super.init() }

    package override func configuration(shielding application: Application) -> ShieldConfiguration {
        let name = application.localizedDisplayName ?? "This app"
        return ShieldConfiguration(
            backgroundBlurStyle: .systemThickMaterialDark,
            backgroundColor: ground.withAlphaComponent(0.6),
            icon: UIImage(named: "Logo"),
            title: ShieldConfiguration.Label(text: "\(name) rests", color: titleColor),
            subtitle: .init(
                text: "Come back at \(defaults?.string(forKey: "hour") ?? "six").",
                color: .secondaryLabel
            ),
            primaryButtonLabel: ShieldConfiguration.Label(text: "OK", color: UIColor.white),
            primaryButtonBackgroundColor: UIColor(named: "Accent"),
            secondaryButtonLabel: .init(text: "Five more minutes", color: .systemBlue)
        )
    }

    package override func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        make(title: category.localizedDisplayName, symbol: "hourglass")
    }

    package override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        make(title: webDomain.domain, symbol: "globe")
    }

    package override func configuration(shielding webDomain: WebDomain, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        ShieldConfiguration()
    }

    private func make(title: String?, symbol: String) -> ShieldConfiguration {
        let configuration = UIImage.SymbolConfiguration(pointSize: 40, weight: .bold)
        return ShieldConfiguration(
            backgroundBlurStyle: UIBlurEffect.Style.systemUltraThinMaterial,
            backgroundColor: .init(hue: 0.5, saturation: 0.2, brightness: 1, alpha: 1),
            icon: UIImage(systemName: symbol, withConfiguration: configuration)?
                .withTintColor(.systemRed, renderingMode: .alwaysOriginal),
            title: .init(text: title ?? "Blocked", color: .label),
            subtitle: nil,
            primaryButtonLabel: .init(text: "Close", color: .black),
            primaryButtonBackgroundColor: .yellow
        )
    }
}

/// Overrides one of the four methods.
package class HalfShieldSample: ShieldConfigurationDataSource {
    package override func configuration(shielding application: Application) -> ShieldConfiguration {
        ShieldConfiguration(title: .init(text: "Half", color: .lightGray))
    }
}
