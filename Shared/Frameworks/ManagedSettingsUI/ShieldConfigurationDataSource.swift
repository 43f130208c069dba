public import Foundation
public import ManagedSettings

/// Says what shields look like.
///
/// Make a class of your own from it, and start it with `ExtensionMain.run`. A method must answer soon, and from what it has:
/// nobody can be asked from here. What a class does not override looks as the system likes it.
open class ShieldConfigurationDataSource: NSObject {
    /// Called by your own `init()`.
    public override init() { super.init() }

    /// The shield of an app.
    open func configuration(shielding application: Application) -> ShieldConfiguration {
        .system(missing: "configuration(shielding:) of Application")
    }

    /// The shield of an app whose category is shielded.
    open func configuration(shielding application: Application, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        .system(missing: "configuration(shielding:in:) of Application")
    }

    /// The shield of a site.
    open func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        .system(missing: "configuration(shielding:) of WebDomain")
    }

    /// The shield of a site whose category is shielded.
    open func configuration(shielding webDomain: WebDomain, in category: ActivityCategory)
        -> ShieldConfiguration
    {
        .system(missing: "configuration(shielding:in:) of WebDomain")
    }
}
