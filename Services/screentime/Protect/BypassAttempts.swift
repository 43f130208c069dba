import Glibc
import STCommandCore
import STContracts
import STPlatform

/// Tests the ways in which a child could bypass Screen Time, as the child's account.
struct BypassAttempts: Sendable {
    struct Outcome: Sendable {
        var account: String
        var title: String
        var isBlocked: Bool
        /// The output of the test.
        var output: String

        func line(_ terminal: Terminal) -> String {
            let word =
                isBlocked
                ? terminal.styled(Speech.say("protect.holds", "blocked"), .green)
                : terminal.styled(Speech.say("protect.hole", "NOT BLOCKED"), .red)
            return "\(word)  \(account): \(title)" + (isBlocked || output.isEmpty ? "" : "\n       \(output)")
        }

        var json: JSONValue {
            .object([
                "account": .string(account), "way": .string(title), "held": .bool(isBlocked),
                "said": .string(output),
            ])
        }
    }

    private struct Attempt {
        var title: String
        var script: String
        /// The code of the expected problem. Without one, any failure counts as blocked.
        var refusal: String?

        init(_ title: String, _ script: String, refusal: String? = nil) {
            self.title = title
            self.script = script
            self.refusal = refusal
        }
    }

    let account: String
    /// The other members of the household.
    let others: [Member]
    let protection: Protection

    init(account: String, others: [Member], _ protection: Protection) {
        self.account = account
        self.others = others
        self.protection = protection
    }

    func results() throws(Problem) -> [Outcome] {
        guard let entry = getpwnam(account)?.pointee else {
            throw Problem("account.unknown", "This computer has no account \(account, "account").")
        }
        let (uid, gid) = (entry.pw_uid, entry.pw_gid)
        var found: [Outcome] = []
        for way in systemAttempts + busAttempts(uid) {
            let run = try protection.attempt(
                "setpriv",
                [
                    "--reuid=\(uid)", "--regid=\(gid)", "--init-groups", "--reset-env", "--", "/bin/sh", "-c",
                    way.script,
                ]
            )
            let said = run.output.split(separator: "\n").first.map(String.init) ?? ""
            let isHeld = way.refusal.map { run.output.contains($0) } ?? !run.status.isSuccess
            found.append(Outcome(account: account, title: way.title, isBlocked: isHeld, output: said))
        }
        return found
    }

    private var systemAttempts: [Attempt] {
        let core = Directories.protected
        let service = "screentime-\(ServiceName.auth).service"
        let pid = (try? protection.systemctl(["show", "--property=MainPID", "--value", service])) ?? ""
        let process = pid.filter(\.isNumber)
        let own = Directories.run(ofAccount: ProtectCommands.uid(of: account) ?? 0)
        return [
            Attempt(
                Speech.say(
                    "protect.reach-the-services-past",
                    "reach the services directly, without the account's own socket"
                ),
                "SCREENTIME_RUN=\(core.run) \(UserUnits.shippedBinaries)/screentime bus call member.list '{}' --to auth-service"
            ),
            Attempt(
                Speech.say("protect.read-what-was-recorded", "read the records"),
                "ls \(core.state)/\(ServiceName.activity)"
            ),
            Attempt(
                Speech.say("protect.delete-what-was-recorded", "delete the records"),
                "rm -r \(core.state)/\(ServiceName.activity)/lock"
            ),
            Attempt(
                Speech.say("protect.change-the-settings", "change the settings"),
                "mkdir -p /etc/screentime && touch \(core.config)"
            ),
            Attempt(Speech.say("protect.end-a-service", "end a service"), "kill -0 \(process)"),
            Attempt(
                Speech.say("protect.look-into-a-service", "inspect a service's process"),
                "cat /proc/\(process)/environ"
            ),
            Attempt(
                Speech.say("protect.have-systemd-stop-a", "have systemd stop a service"),
                "systemctl --no-ask-password restart screentime-\(ServiceName.report).service"
            ),
            Attempt(
                Speech.say("protect.replace-a-program", "replace a program"),
                "test -w \(UserUnits.shippedBinaries) || test -w \(UserUnits.shippedBinaries)/desktop-agent"
            ),
            Attempt(
                Speech.say("protect.set-the-clock-of", "set the clock of the computer"),
                "pkcheck --action-id org.freedesktop.timedate1.set-time --process $$"
            ),
            Attempt(
                Speech.say("protect.move-the-computer-to", "change the computer's time zone"),
                "pkcheck --action-id org.freedesktop.timedate1.set-timezone --process $$"
            ),
            Attempt(
                Speech.say(
                    "protect.put-something-into-the",
                    "create a file in the folder of the account's sockets"
                ),
                "touch \(own)/x"
            ),
            Attempt(
                Speech.say(
                    "protect.look-into-the-program",
                    "inspect the agent that observes its screen"
                ),
                "cat /proc/$(pgrep -u $(id -u) -x desktop-agent || echo 1)/environ"
            ),
            Attempt(
                Speech.say("protect.change-that-program-while", "change the agent's memory while it runs"),
                "exec 3<> /proc/$(pgrep -u $(id -u) -x desktop-agent || echo 1)/mem"
            ),
            Attempt(
                Speech.say(
                    "protect.fill-the-memory-that",
                    "fill the file system that contains the services' sockets"
                ),
                "file=\(own)/desktop-agent/fill; head --bytes=200M /dev/zero > $file; code=$?; rm -f $file; exit $code"
            ),
            Attempt(
                Speech.say(
                    "protect.say-that-nothing-sees",
                    "falsely report whether Screen Time sees its screen"
                ),
                "touch \(Directories.observationGapFile(ProtectCommands.uid(of: account) ?? 0))x"
            ),
            Attempt(
                Speech.say(
                    "protect.stop-what-holds-its",
                    "stop the unit that pauses its shielded apps when the agent is not running"
                ),
                "systemctl --no-ask-password stop screentime-hold@$(id -u).path"
            ),
            Attempt(
                Speech.say("protect.send-signals-to-the", "send signals to the programs of another account"),
                "loginctl --no-ask-password kill-user --signal=SIGCONT \(others.compactMap(\.account).first ?? "root")"
            ),
            Attempt(
                Speech.say(
                    "protect.read-what-that-program",
                    "read the observations that the agent has not sent yet"
                ),
                "ls \(Directories.stateOfAgents)"
            ),
            Attempt(
                Speech.say(
                    "protect.leave-the-group-whose",
                    "leave the group whose logins Screen Time checks"
                ),
                "gpasswd --delete $(id -un) \(LoginCheck.group)"
            ),
            Attempt(
                Speech.say("protect.become-the-administrator", "become the administrator"),
                "sudo -n true"
            ),
        ]
    }

    private func busAttempts(_ uid: UInt32) -> [Attempt] {
        let program = "\(UserUnits.shippedBinaries)/screentime bus call"
        let run = Directories.run(ofAccount: uid)
        func ask(_ route: String, of service: ServiceName, body: JSONValue) -> String {
            let text = ShellText.quote(String(decoding: body.text, as: UTF8.self))
            return "\(program) \(route) \(text) --to \(service)"
        }
        var ways = [
            Attempt(
                Speech.say("protect.become-a-guardian", "become a guardian"),
                ask(MemberAdd.name, of: .auth, body: ["name": "x", "role": "guardian"]),
                refusal: "access.guardian_only"
            ),
            Attempt(
                Speech.say("protect.have-the-services-run", "have the services run a program"),
                ask(AppInstall.name, of: .auth, body: ["bundle": "/tmp"]),
                refusal: "access.administrator_only"
            ),
            Attempt(
                Speech.say("protect.lift-a-shield-by", "lift a shield by changing its settings"),
                ask(SettingsDelete.name, of: .shield, body: ["app": "screentime.rules", "stores": []]),
                refusal: "access.administrator_only"
            ),
            Attempt(
                Speech.say("protect.take-the-place-of", "impersonate the services"),
                "rm \(run)/\(ServiceName.auth)/\(Endpoint.rpc.rawValue)"
            ),
        ]
        guard let other = others.first else { return ways }
        let name = JSONValue.string(other.name)
        ways += [
            Attempt(
                Speech.say("protect.count-its-time-for", "report usage as \(other.name, "name")"),
                ask(
                    UsageObserve.name,
                    of: .activity,
                    body: ["agent": "x", "run": "x", "observations": [.object(["member": name])]]
                ),
                refusal: "access.agent_only"
            ),
            Attempt(
                Speech.say("protect.read-the-day-of", "read the daily report of \(other.name, "name")"),
                ask(ReportDay.name, of: .report, body: .object(["member": name])),
                refusal: "access.not_yours"
            ),
        ]
        guard let account = other.account, let otherUID = ProtectCommands.uid(of: account) else {
            return ways
        }
        let door = "\(Directories.run(ofAccount: otherUID))"
        ways.append(
            Attempt(
                Speech.say(
                    "protect.go-through-the-door",
                    "reach the services through the socket of \(other.name, "name")'s account"
                ),
                "SCREENTIME_RUN=\(door) \(program) member.list '{}' --to auth-service"
            )
        )
        return ways
    }
}
