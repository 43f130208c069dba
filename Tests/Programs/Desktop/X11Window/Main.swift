import Glibc

@main
enum Main {
    static func main() {
        guard let program = WindowProgram() else { exit(1) }
        program.run()
    }
}
