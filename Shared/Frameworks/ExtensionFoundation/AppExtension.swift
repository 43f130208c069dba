/// An extension of an app that is a program of its own: its type is marked with `@main`.
@MainActor @preconcurrency
public protocol AppExtension {
    /// How it takes part in what starts it.
    associatedtype Configuration: AppExtensionConfiguration

    /// How it takes part in what starts it.
    var configuration: Configuration { get }

    /// Made once, at the start.
    init()
}

extension AppExtension {
    /// The program's start: serves until nobody needs it any more.
    public static func main() throws {
        let made = Self()
        guard let serving = made.configuration as? any ServingConfiguration else {
            throw ExtensionStartError.nothingToServe("\(Self.self)")
        }
        serving.serve()
    }
}
