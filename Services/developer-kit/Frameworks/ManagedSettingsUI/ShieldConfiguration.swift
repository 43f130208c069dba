public import Foundation
public import ManagedSettings
public import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
public import UIKit

/// Provides the appearance of shields.
///
/// Subclass it, and start it with `ExtensionMain.run`. A method must return quickly and must not call services. If a method is
/// not overridden, the shield has the system's default appearance.
open class ShieldConfigurationDataSource: NSObject {
    public override init() { super.init() }

    open func configuration(shielding application: Application) -> ShieldConfiguration {
        .system(missing: "configuration(shielding:) of Application")
    }

    open func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        .system(missing: "configuration(shielding:in:) of Application")
    }

    open func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        .system(missing: "configuration(shielding:) of WebDomain")
    }

    open func configuration(shielding webDomain: WebDomain, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        .system(missing: "configuration(shielding:in:) of WebDomain")
    }

    func perform(_ call: ExtensionCall) throws -> JSONValue {
        guard ShieldMethod(rawValue: call.method) == .configuration else { throw call.unknownMethod }
        let configuration = try configuration(for: call.decoded())
        if let missing = configuration.missing {
            FrameworkLog.shield.fault("\(type(of: self)) does not override \(missing)")
        }
        return try JSONValue(
            wire: ShieldConfigurationResult(
                look: ShieldAppearance(configuration),
                missing: configuration.missing
            )
        )
    }

    private func configuration(for body: ShieldConfigurationBody) throws -> ShieldConfiguration {
        let category = body.category.map {
            ActivityCategory(token: $0.tokenMeant(), localizedDisplayName: $0.shownName)
        }
        if let subject = body.application {
            let application = Application(
                bundleIdentifier: subject.id,
                token: subject.tokenMeant(),
                localizedDisplayName: subject.shownName
            )
            guard let category else { return configuration(shielding: application) }
            return configuration(shielding: application, in: category)
        }
        guard let subject = body.webDomain else {
            throw Problem(
                "extension.no_subject",
                "The call does not name the app, category or site that is shielded."
            )
        }
        let domain = WebDomain(domain: subject.id, token: subject.tokenMeant())
        guard let category else { return configuration(shielding: domain) }
        return configuration(shielding: domain, in: category)
    }
}

extension ExtensionMain {
    /// Runs a data source. This call is the only statement that an extension's main file needs.
    ///
    /// The data source is created on the main thread. Its methods are called one at a time, on a separate thread.
    public static func run(_ makeDataSource: () -> ShieldConfigurationDataSource) -> Never {
        serve(.shieldConfiguration) {
            let source = makeDataSource()
            return { call in try source.perform(call) }
        }
    }
}

extension ShieldSubjectBody {
    /// The name, or the id if there is no name. As on a phone, it is never `nil`.
    var shownName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? id }

    func tokenMeant<T>() -> Token<T>? { Data(base64Encoded: token).map { Token(data: $0) } }
}

/// The appearance of a shield. The system provides the parts that are `nil`.
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

    /// The label of the second button. Without it, the shield has no second button.
    public let secondaryButtonLabel: Label?

    /// The items of the second button's menu. Only the first three are shown.
    public let secondaryButtonSubmenuItems: [String]?

    /// The method that is not overridden, if this is the system's default appearance.
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

    /// Returns the system's default appearance, for a method that is not overridden.
    static func system(missing method: String) -> ShieldConfiguration {
        var configuration = ShieldConfiguration()
        configuration.missing = method
        return configuration
    }
}
