import STDesktopKit
import STPlatform

/// A real program on a sway.
struct SwayApp {
    var process: SpawnedProcess
    /// Its cgroup; nil where there are none.
    var folder: String?
}

/// A program of hand-driven windows on a sway.
struct SwayWindows {
    var program: LineProgram
    var folder: String?
}
