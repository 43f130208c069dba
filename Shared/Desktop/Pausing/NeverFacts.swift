/// What only the caller knows about who may never be paused.
package struct NeverFacts: Sendable, Equatable {
    /// Processes of the system that the caller knows, its own and its supervisor's among them.
    package var ownPids: Set<Int32>
    /// Where the system's sockets are: its programs that were started with it as `SCREENTIME_RUN` are its own.
    package var runDirectory: String?
    package var compositorPid: Int32?
    package var windowManagerPid: Int32?
    package var sessionBusPid: Int32?
    /// The setting `never_pause`.
    package var apps: Set<String>
    /// The apps of the windows of each process, all apps at once.
    package var windowOwners: [Int32: Set<String>]
    /// Processes with panels, docks and the like (`DesktopWindow.isChrome`).
    package var chromePids: Set<Int32>

    package init(
        ownPids: Set<Int32> = [],
        runDirectory: String? = nil,
        compositorPid: Int32? = nil,
        windowManagerPid: Int32? = nil,
        sessionBusPid: Int32? = nil,
        apps: Set<String> = [],
        windowOwners: [Int32: Set<String>] = [:],
        chromePids: Set<Int32> = []
    ) {
        self.ownPids = ownPids
        self.runDirectory = runDirectory
        self.compositorPid = compositorPid
        self.windowManagerPid = windowManagerPid
        self.sessionBusPid = sessionBusPid
        self.apps = apps
        self.windowOwners = windowOwners
        self.chromePids = chromePids
    }
}
