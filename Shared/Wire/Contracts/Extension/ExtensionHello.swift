/// The first thing an extension says: what it speaks, and what it takes itself for.
package struct ExtensionHello: WireBody, Codable, Equatable {
    /// `ExtensionProtocol.version` of the library the extension was built with.
    package var version: Int64
    package var point: ExtensionPoint
    package var app: String

    package enum CodingKeys: String, CodingKey {
        case point, app
        case version = "protocol"
    }

    package init(version: Int64 = ExtensionProtocol.version, point: ExtensionPoint, app: String) {
        self.version = version
        self.point = point
        self.app = app
    }
}
