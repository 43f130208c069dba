import STPlatform

/// Reports the foreground tab of a browser, from the browser's extension. browser-host sends it after each change, and every few
/// seconds while a window of the browser is in the foreground.
package enum BrowserReport: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The version of the extension.
        package var version: String
        /// True if a window of the browser has the keyboard focus. The extension may have no access to private windows.
        package var focused: Bool
        /// True if the foreground tab is private. Its host is then not reported.
        package var isPrivate: Bool
        /// The host of the page in the foreground tab, without path, port and title. `nil` for the browser's own pages.
        package var host: String?
        /// True if a shield covers the page.
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

    /// The interval at which browser-host repeats its report while a window of the browser is in the foreground.
    package static let beatMs: Int64 = 5_000
    package static let versionBytesMax = 32
    package static let name = "desktop.browse"
    package static let kind = RouteKind.read
    package static let summary =
        "Reports the site in a browser's foreground tab. "
        + "The site counts as used while the browser is in the foreground."
}
