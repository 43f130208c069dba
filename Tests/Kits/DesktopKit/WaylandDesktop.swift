import Glibc
package import STPlatform
package import STTestSupport
import Synchronization

/// A real Wayland desktop of the tests, and the programs started on it.
package protocol WaylandDesktop: Sendable {
    var scratch: ScratchDirectory { get }
    /// The environment of its clients.
    var environment: [String: String] { get }
    var starter: DesktopStarter { get }
    /// The additional environment of X11 programs, if the desktop supports them.
    var forX11: [String: String] { get async throws }

    /// Takes a picture of the whole desktop, as a PNG in the scratch directory.
    func picture(_ name: String) async throws -> String

    /// Ends everything that was started here, then the desktop. May be called again.
    func end()
}

extension WaylandDesktop {
    package var forX11: [String: String] { [:] }

    /// Starts a real program on it, as the desktop's user.
    @discardableResult
    package func run(
        _ executable: String,
        _ arguments: [String] = [],
        environment further: [String: String] = [:],
        descriptors: [Int32: Int32] = [:],
        log: String? = nil
    ) throws -> SpawnedProcess {
        let merged = environment.merging(further) { _, new in new }
        return starter.keep(
            try starter.start(
                executable,
                arguments: arguments,
                environment: merged,
                descriptors: descriptors,
                log: log
            )
        )
    }

    /// Starts a program of this package, as the user who runs the tests.
    func runOwn(_ executable: String, arguments: [String], descriptors: [Int32: Int32]) throws
        -> SpawnedProcess
    {
        let log = scratch.file("programs.log")
        return starter.keep(
            try starter.start(
                executable,
                arguments: arguments,
                environment: environment,
                descriptors: descriptors,
                log: log,
                asUser: false
            )
        )
    }

    /// Runs a program to its end and returns its output.
    @discardableResult
    package func output(
        _ executable: String,
        _ arguments: [String],
        environment further: [String: String] = [:]
    ) throws -> String {
        let name = scratch.file("output-\(Stopwatch.nanoseconds())")
        let program = try run(executable, arguments, environment: further, log: name)
        defer {
            unlink(name)
            starter.forget(program)
        }
        let ending = program.wait(deadlineMs: 30_000)
        let text = ScratchDirectory.text(name)
        guard ending == .exited(0) else {
            throw NotYet("\(executable) \(arguments) ended with \(String(describing: ending)): \(text)")
        }
        return text
    }

    /// Returns the colour of one pixel of a picture, as `0xRRGGBB`.
    package func colour(of picture: String, x: Int, y: Int) throws -> UInt32 {
        let text = try output(
            "/usr/bin/convert",
            [picture, "-crop", "1x1+\(x)+\(y)", "-depth", "8", "-format", "%[hex:p{0,0}]", "info:"]
        )
        guard let colour = UInt32(text.prefix(6), radix: 16) else { throw NotYet("no colour: \(text)") }
        return colour
    }
}

/// Starts a desktop and its programs, as an ordinary account if this process is root. All of them die with this process.
package final class DesktopStarter: Sendable {
    /// Debian's account without rights, because desktops refuse root.
    package static let user: UInt32 = 65_534

    /// The thread that starts the programs. They die with their starting thread, and this one lives as long as the starter.
    private let loop: LoopThread
    private let programs = Mutex<[SpawnedProcess]>([])

    package init() throws { loop = try LoopThread(name: "desktop starter") }

    deinit { loop.stop() }

    /// Gives these folders to the account.
    package static func give(_ paths: [String]) throws {
        guard geteuid() == 0 else { return }
        for path in paths {
            guard chown(path, user, user) == 0 else { throw SystemError.last("chown") }
        }
    }

    /// Ends `program` with the desktop.
    func keep(_ program: SpawnedProcess) -> SpawnedProcess {
        programs.withLock { $0.append(program) }
        return program
    }

    func forget(_ program: SpawnedProcess) { programs.withLock { $0.removeAll { $0 === program } } }

    func endPrograms() {
        let running = programs.withLock { programs in
            defer { programs = [] }
            return programs
        }
        // A stopped program handles no other signal.
        for program in running { program.signalGroup(SIGKILL) }
        for program in running { _ = program.wait(deadlineMs: 5_000) }
    }

    /// Starts the desktop itself. If `asUser` is false, it changes the account by itself.
    package func start(
        _ executable: String,
        arguments: [String],
        environment: [String: String],
        descriptors: [Int32: Int32] = [:],
        log: String? = nil,
        asUser: Bool = true
    ) throws -> SpawnedProcess {
        let number = open(log ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        // A change of the user resets the death signal, so setpriv sets it again, as the last step.
        var words = ["--pdeathsig", "KILL"]
        if asUser && geteuid() == 0 {
            words += ["--reuid", String(Self.user), "--regid", String(Self.user), "--clear-groups"]
        }
        let plan = SpawnPlan(
            executable: "/usr/bin/setpriv",
            arguments: words + ["--", executable] + arguments,
            environment: environment,
            workingDirectory: "/",
            standardOutput: descriptors[1] == nil ? output.number : nil,
            standardError: output.number,
            descriptors: descriptors,
            startsSession: true
        )
        return try loop.wait { try SpawnedProcess(plan) }
    }
}
