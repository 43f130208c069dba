@_exported public import STFoundationGaps

/// An extension of an app, as a program of its own: mark the type with `@main`.
@MainActor @preconcurrency
public protocol AppExtension {
    associatedtype Configuration: AppExtensionConfiguration

    var configuration: Configuration { get }

    init()
}

extension AppExtension {
    /// Starts the program and serves the host until it has no more calls.
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

/// A configuration that the frameworks know how to serve.
@MainActor
package protocol ServingConfiguration: AppExtensionConfiguration {
    /// Does not return while there is work.
    func serve()
}

/// Why an extension could not begin.
private enum ExtensionStartError: Error, CustomStringConvertible {
    case nothingToServe(String)

    var description: String {
        switch self {
        case .nothingToServe(let name):
            "\(name) has a configuration that the frameworks cannot serve. For reports, use DeviceActivityReportExtension."
        }
    }
}
