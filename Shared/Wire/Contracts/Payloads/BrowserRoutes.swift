import STPlatform

/// What a browser shows, as its extension says: at each change, and again every few seconds while a window of it is in front.
package enum BrowserTell: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Of the extension.
        package var version: String
        /// A window of the browser has the keyboard, as far as the extension can see: it may be kept out of private ones.
        package var focused: Bool
        /// The tab in front is private, so its host is not said.
        package var isPrivate: Bool
        /// Of the page in the tab in front, without path, port and title; nil for the browser's own pages.
        package var host: String?
        /// A shield is over the page.
        package var shielded: Bool?

        package init(
            version: String,
            focused: Bool,
            isPrivate: Bool,
            host: String? = nil,
            shielded: Bool? = nil
        ) {
            self.version = version
            self.focused = focused
            self.isPrivate = isPrivate
            self.host = host
            self.shielded = shielded
        }
    }

    package typealias Reply = Empty

    /// How often browser-host repeats what is so, while a window of the browser is in front.
    package static let beatMs: Int64 = 5_000
    package static let versionBytesMax = 32
    package static let name = "desktop.browse"
    package static let kind = RouteKind.read
    package static let summary =
        "Takes the site that the calling browser shows; it counts while that browser is in front."
}
