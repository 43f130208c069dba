public import Foundation

/// A colour in an asset catalogue. `app new` generates a name for each colour, as Xcode does.
public struct ColorResource: Hashable, @unchecked Sendable {
    // @unchecked: the bundle is only used for the name of its folder.
    package let name: String
    package let bundle: Bundle

    public init(name: String, bundle: Bundle) {
        self.name = name
        self.bundle = bundle
    }
}

/// An image in an asset catalogue.
public struct ImageResource: Hashable, @unchecked Sendable {
    // @unchecked: the bundle is only used for the name of its folder.
    package let name: String
    package let bundle: Bundle

    public init(name: String, bundle: Bundle) {
        self.name = name
        self.bundle = bundle
    }
}

extension UIColor {
    /// Creates the colour of a resource. A missing colour is clear, and is logged.
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
    /// Creates the image of a resource. A missing image is empty, and is logged.
    public convenience init(resource: ImageResource) {
        guard let found = AssetFolder.of(resource.bundle).image(resource.name) else {
            AssetFolder.miss("UIImage", resource.name)
            self.init(.nowhere, nil)
            return
        }
        self.init(.file(found.file, dark: found.dark), found.head, scale: CGFloat(found.scale))
    }
}
