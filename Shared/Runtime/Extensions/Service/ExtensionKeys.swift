import STServiceKit

/// The settings that say what the extensions of one service may use.
package struct ExtensionKeys: Sendable {
    var memoryKiB: ConfigurationKey
    var callMs: ConfigurationKey
    var outputKiB: ConfigurationKey
    var keepWarmMs: ConfigurationKey
    var workMs: ConfigurationKey
    /// Nil where nothing depends on it.
    var mayHaveNetwork: ConfigurationKey?

    package static let monitor = ExtensionKeys(
        memoryKiB: .memoryKiB,
        callMs: .callMs,
        outputKiB: .outputKiB,
        keepWarmMs: .keepWarmMs,
        workMs: .workMs
    )

    package static let shield = ExtensionKeys(
        memoryKiB: .shieldMemoryKiB,
        callMs: .shieldActionMs,
        outputKiB: .shieldOutputKiB,
        keepWarmMs: .shieldKeepWarmMs,
        workMs: .shieldWorkMs
    )

    package static let report = ExtensionKeys(
        memoryKiB: .reportMemoryKiB,
        callMs: .reportMs,
        outputKiB: .reportOutputKiB,
        keepWarmMs: .reportKeepWarmMs,
        workMs: .reportWorkMs,
        mayHaveNetwork: .reportMayHaveNetwork
    )
}
