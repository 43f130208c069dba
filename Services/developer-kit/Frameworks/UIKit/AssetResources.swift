public import Foundation

/// A colour of an asset catalogue; `app new` writes a name for each, as Xcode does.
public struct ColorResource: Hashable, @unchecked Sendable {
    // @unchecked: a bundle only names a folder here.
    package let name: String
    package let bundle: Bundle

    public init(name: String, bundle: Bundle) {
        self.name = name
        self.bundle = bundle
    }
}

/// A picture of an asset catalogue.
public struct ImageResource: Hashable, @unchecked Sendable {
    // @unchecked: as above.
    package let name: String
    package let bundle: Bundle

    public init(name: String, bundle: Bundle) {
        self.name = name
        self.bundle = bundle
    }
}

extension UIColor {
    /// Clear where it is missing, which is in the log.
    public convenience init(resource: ColorResource) {
        guard let found = AssetFolder.of(resource.bundle).color(resource.name) else {
            AssetFolder.miss("UIColor", resource.name)
            self.init(white: 0, alpha: 0)
            return
        }
        self.init(light: found.light, dark: found.dark)
    }
}

extension UIImage {
    /// Empty where it is missing, which is in the log.
    public convenience init(resource: ImageResource) {
        guard let found = AssetFolder.of(resource.bundle).image(resource.name) else {
            AssetFolder.miss("UIImage", resource.name)
            self.init(.nowhere, nil)
            return
        }
        self.init(.file(found.file, dark: found.dark), found.head, scale: CGFloat(found.scale))
    }
}
