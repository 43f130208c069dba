import Foundation
import ManagedSettingsUI
import STFrameworkSamples

// One program for both kinds of a shield's extensions: an app has two, each with one of these lines.
if ProcessInfo.processInfo.environment["SCREENTIME_POINT"]?.contains("action") == true {
    ExtensionMain.run { ShieldActionSample() }
} else {
    ExtensionMain.run { ShieldSample() }
}
