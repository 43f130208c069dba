// The compiler treats `stdout` as a mutable variable, although it never changes.
@preconcurrency import Glibc

/// Flushes output after each line, so that the output of an extension is attributed to the callback that printed it.
enum StandardOutput {
    static func writeByLines() { setvbuf(stdout, nil, _IOLBF, 0) }

    static func flush() { fflush(stdout) }
}
