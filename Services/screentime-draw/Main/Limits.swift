import Glibc
import STContracts
import STPlatform

/// Resource limits of a drawing.
enum Limits {
    private static let cpuSeconds: rlim_t = 30
    private static let memoryBytes: rlim_t = 3 << 30

    static func begin() {
        limit(__rlimit_resource_t(RLIMIT_AS.rawValue), memoryBytes)
        // The memory may contain a person's usage, so it must not be written to a core file.
        limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0)
    }

    /// Sets the limits of a process that draws once.
    static func applyToOneDrawing() {
        begin()
        limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), cpuSeconds)
    }

    /// Extends the CPU limit for the next drawing.
    static func raise() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let used = rlim_t(max(0, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)) + 1
        let resource = __rlimit_resource_t(RLIMIT_CPU.rawValue)
        var limits = rlimit()
        getrlimit(resource, &limits)
        limits.rlim_cur = min(limits.rlim_max, used + cpuSeconds)
        setrlimit(resource, &limits)
    }

    /// Returns the peak resident memory in KiB.
    static func residentKiB() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss
    }

    private static func limit(_ resource: __rlimit_resource_t, _ value: rlim_t) {
        var limits = rlimit(rlim_cur: value, rlim_max: value)
        setrlimit(resource, &limits)
    }
}
