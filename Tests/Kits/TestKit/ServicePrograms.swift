package import STContracts
import STTestSupport

/// The executables, which SwiftPM puts beside that of the tests.
package enum ServicePrograms {
    package static func path(_ service: ServiceName) throws -> String {
        try BuiltTree.program(service.rawValue)
    }

    /// What a service needs to run: nothing of the environment of whoever runs the tests.
    ///
    /// Nor of its programs and its screen: a test must go the same on every computer.
    package static let environment = [
        "PATH": "/usr/bin:/bin", "TZ": "UTC", "SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS": "none",
        "SCREENTIME_DESKTOP_AGENT_ADAPTER": "none",
    ]
}
