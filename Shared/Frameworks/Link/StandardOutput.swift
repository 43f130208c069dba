// `stdout` is a variable to the compiler, though nobody ever changes it.
@preconcurrency import Glibc

/// What an extension prints belongs to the callback that prints it, so it cannot wait for a full buffer.
enum StandardOutput {
    static func writeByLines() { setvbuf(stdout, nil, _IOLBF, 0) }

    static func flush() { fflush(stdout) }
}
