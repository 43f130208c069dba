import Glibc
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// `account-door UID`: systemd starts it for an account and passes the account's sockets.
@main
enum Main {
    static func main() {
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        // Passcodes pass through this process.
        ProcessMemory.close()
        do {
            let arguments = CommandLine.arguments
            guard arguments.count == 2, let uid = UInt32(arguments[1]), let account = AccountName.name(uid)
            else {
                throw Problem(
                    "config.no_account",
                    "account-door requires one argument: the user ID of an account on this computer."
                )
            }
            let environment = ProcessEnvironment.current()
            let core = try Directories.from(environment: environment)
            let door = try AccountDoor(
                uid: uid,
                account: account,
                core: core,
                locks: environment[UnobservedScreenPolicy.variable] == UnobservedScreenPolicy.lock.rawValue,
                log: log
            )
            Task(executorPreference: door.loop.thread, priority: .medium) {
                do {
                    try await door.open(Systemd.receivedDescriptors(), below: Directories.run(ofAccount: uid))
                    Systemd.notify("READY=1")
                } catch { end(error) }
            }
            // The process runs until systemd ends it.
            withExtendedLifetime(door) { while true { pause() } }
        } catch { end(error) }
    }

    private static let log = Log.standard(service: "account-door", level: .info)

    private static func end(_ error: any Error) -> Never {
        let problem = Problem(error)
        log.problem("cannot_start", problem)
        Systemd.notify("STATUS=\(problem.message)")
        exit(StartFailure.exitCode(problem))
    }
}
