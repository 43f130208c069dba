/// How an extension takes part in what starts it.
@MainActor @preconcurrency
public protocol AppExtensionConfiguration {}

/// A configuration that the frameworks themselves know how to serve.
@MainActor
package protocol ServingConfiguration: AppExtensionConfiguration {
    /// Does not come back while there is work.
    func serve()
}
