@_exported public import STFoundationGaps

/// An extension of an app, run as a separate program. Mark the type with `@main`.
@MainActor @preconcurrency
public protocol AppExtension {
    associatedtype Configuration: AppExtensionConfiguration

    var configuration: Configuration { get }

    init()
}

extension AppExtension {
    /// Starts the program and serves the host until there are no more calls.
    public static func main() throws {
        let made = Self()
        guard let serving = made.configuration as? any ServingConfiguration else {
            throw ExtensionStartError.nothingToServe("\(Self.self)")
        }
        serving.serve()
    }
}

@MainActor @preconcurrency
public protocol AppExtensionConfiguration {}

/// A configuration that the frameworks can serve.
@MainActor
package protocol ServingConfiguration: AppExtensionConfiguration {
    /// Serves the host. It does not return while there is work.
    func serve()
}

/// The reason why an extension could not start.
private enum ExtensionStartError: Error, CustomStringConvertible {
    case nothingToServe(String)

    var description: String {
        switch self {
        case .nothingToServe(let name):
            "\(name) has a configuration that the frameworks cannot serve. For reports, use DeviceActivityReportExtension."
        }
    }
}
