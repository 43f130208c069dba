import Testing

/// The start of the test program.
///
/// `swift build` uses this file by its name. Without it, `swift build` would look for tests of XCTest in the compiler's index, and writing
/// that index takes a twelfth of the build's CPU.
@main
enum TestProgram {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
