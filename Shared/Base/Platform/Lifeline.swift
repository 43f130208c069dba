import Glibc
import STCPlatform

/// How a child notices that its parent died: the read end of a pipe whose other end only the parent holds.
///
/// posix_spawn cannot set PDEATHSIG, and a parent that was killed cannot say goodbye. The kernel closes the pipe.
package enum Lifeline {
    package static let variable = "SCREENTIME_LIFELINE_FD"

    /// The descriptor given by the parent, or nil.
    ///
    /// It becomes readable (end of file) once the parent is gone. Afterwards it is closed on exec, so that a
    /// child of this process does not take it for its own.
    package static func descriptor(environment: [String: String]) -> Int32? {
        guard let number = environment[variable].flatMap(Int32.init), number > 2 else { return nil }
        return st_set_cloexec(number) == 0 ? number : nil
    }
}
