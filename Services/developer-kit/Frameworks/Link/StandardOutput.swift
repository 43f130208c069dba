// `stdout` is a variable to the compiler, though it never changes.
@preconcurrency import Glibc

/// Flushes output line by line, because what an extension prints belongs to the callback that prints it.
enum StandardOutput {
    static func writeByLines() { setvbuf(stdout, nil, _IOLBF, 0) }

    static func flush() { fflush(stdout) }
}
