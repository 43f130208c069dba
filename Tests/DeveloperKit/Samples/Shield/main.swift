import Foundation
import ManagedSettingsUI
import STFrameworkSamples

// One program for both shield extensions. A real app has two programs, each with one of these lines.
if ProcessInfo.processInfo.environment["SCREENTIME_POINT"]?.contains("action") == true {
    ExtensionMain.run { ShieldActionSample() }
} else {
    ExtensionMain.run { ShieldSample() }
}
