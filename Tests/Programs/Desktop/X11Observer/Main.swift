import Glibc

/// `screentime-x11-observer X Y`: watches one pixel of the screen and writes a line whenever it has another colour:
/// microseconds of boot time, and the colour as `#rrggbb`.
///
/// The first line is how it is at the start. It knows nothing of windows: only of what is drawn.
@main
enum Main {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int16($0) }
        guard numbers.count == 2, let observer = Observer(x: numbers[0], y: numbers[1]) else { exit(1) }
        observer.run()
    }
}
