/// The names of what an extension process is told at its start.
package enum ExtensionEnvironment {
    /// The endpoint to connect to, with its `ipc://`.
    package static let host = "SCREENTIME_HOST"
    package static let app = "SCREENTIME_APP"
    package static let member = "SCREENTIME_MEMBER"
    /// An `ExtensionPoint`.
    package static let point = "SCREENTIME_POINT"
    /// The folder of the app's bundle, which holds its pictures and colours.
    package static let bundle = "SCREENTIME_BUNDLE"
    /// The state directory, for containers that an app shares with its extensions.
    package static let state = "SCREENTIME_STATE"
    /// The number of a descriptor that takes one `ExtensionLogLine` as JSON per line.
    package static let logDescriptor = "SCREENTIME_LOG_FD"
    /// The page of a virtual clock, when there is one; the library that reads it is in `LD_PRELOAD`.
    package static let clock = "SCREENTIME_CLOCK"
}
