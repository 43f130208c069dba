import Glibc
import STCommandCore
import STContracts
import STPlatform

/// The ways around Screen Time that a child's account could try, tried as that account.
struct ChildsWays: Sendable {
    struct Outcome: Sendable {
        var account: String
        var title: String
        var isHeld: Bool
        /// What the computer said.
        var said: String

        func line(_ terminal: Terminal) -> String {
            let word =
                isHeld
                ? terminal.styled(Speech.say("holds", "막힘"), .green)
                : terminal.styled(Speech.say("HOLE", "빈틈"), .red)
            return "\(word)  \(account): \(title)" + (isHeld || said.isEmpty ? "" : "\n       \(said)")
        }

        var json: JSONValue {
            .object([
                "account": .string(account), "way": .string(title), "held": .bool(isHeld),
                "said": .string(said),
            ])
        }
    }

    private struct Way {
        var title: String
        var script: String
        /// The code of the refusal; without one, any failure holds.
        var refusal: String?

        init(_ title: String, _ script: String, refusal: String? = nil) {
            self.title = title
            self.script = script
            self.refusal = refusal
        }
    }

    let account: String
    /// The others of the household.
    let others: [Member]
    let protection: Protection

    init(account: String, others: [Member], _ protection: Protection) {
        self.account = account
        self.others = others
        self.protection = protection
    }

    func results() throws(Problem) -> [Outcome] {
        guard let entry = getpwnam(account)?.pointee else {
            throw Problem("account.unknown", "This computer has no account \(account).")
        }
        let (uid, gid) = (entry.pw_uid, entry.pw_gid)
        var found: [Outcome] = []
        for way in system + messages(uid) {
            let run = try protection.attempt(
                "setpriv",
                [
                    "--reuid=\(uid)", "--regid=\(gid)", "--init-groups", "--reset-env", "--", "/bin/sh", "-c",
                    way.script,
                ]
            )
            let said = run.output.split(separator: "\n").first.map(String.init) ?? ""
            let isHeld = way.refusal.map { run.output.contains($0) } ?? !run.status.isSuccess
            found.append(Outcome(account: account, title: way.title, isHeld: isHeld, said: said))
        }
        return found
    }

    private var system: [Way] {
        let core = Directories.protected
        let service = "screentime-\(ServiceName.auth).service"
        let pid = (try? protection.systemctl(["show", "--property=MainPID", "--value", service])) ?? ""
        let process = pid.filter(\.isNumber)
        let own = Directories.run(ofAccount: ProtectCommands.uid(of: account) ?? 0)
        return [
            Way(
                Speech.say("reach the services past the door", "통로를 거치지 않고 서비스에 닿기"),
                "SCREENTIME_RUN=\(core.run) \(UserUnits.shippedBinaries)/screentime bus call member.list '{}' --to auth-service"
            ),
            Way(
                Speech.say("read what was recorded", "기록을 읽기"),
                "ls \(core.state)/\(ServiceName.activity)"
            ),
            Way(
                Speech.say("delete what was recorded", "기록을 지우기"),
                "rm -r \(core.state)/\(ServiceName.activity)/lock"
            ),
            Way(
                Speech.say("change the settings", "설정을 바꾸기"),
                "mkdir -p /etc/screentime && touch \(core.config)"
            ),
            Way(Speech.say("end a service", "서비스를 끝내기"), "kill -0 \(process)"),
            Way(Speech.say("look into a service", "서비스를 들여다보기"), "cat /proc/\(process)/environ"),
            Way(
                Speech.say("have systemd stop a service", "systemd로 서비스를 멈추기"),
                "systemctl --no-ask-password restart screentime-\(ServiceName.report).service"
            ),
            Way(
                Speech.say("replace a program", "프로그램을 바꾸기"),
                "test -w \(UserUnits.shippedBinaries) || test -w \(UserUnits.shippedBinaries)/desktop-agent"
            ),
            Way(
                Speech.say("set the clock of the computer", "컴퓨터의 시계를 바꾸기"),
                "pkcheck --action-id org.freedesktop.timedate1.set-time --process $$"
            ),
            Way(
                Speech.say("move the computer to another time zone", "컴퓨터의 시간대를 바꾸기"),
                "pkcheck --action-id org.freedesktop.timedate1.set-timezone --process $$"
            ),
            Way(
                Speech.say("put something into the folder of its door", "통로의 폴더에 무언가 넣기"),
                "touch \(own)/x"
            ),
            Way(
                Speech.say("look into the program that looks at its screen", "화면을 보는 프로그램을 들여다보기"),
                "cat /proc/$(pgrep -u $(id -u) -x desktop-agent || echo 1)/environ"
            ),
            Way(
                Speech.say("change that program while it runs", "실행 중인 그 프로그램을 바꾸기"),
                "exec 3<> /proc/$(pgrep -u $(id -u) -x desktop-agent || echo 1)/mem"
            ),
            Way(
                Speech.say("fill the memory that the services' sockets are in", "서비스의 소켓이 있는 메모리를 채우기"),
                "file=\(own)/desktop-agent/fill; head --bytes=200M /dev/zero > $file; code=$?; rm -f $file; exit $code"
            ),
            Way(
                Speech.say("say that nothing sees its screen, or that something does", "화면이 보이는지를 거짓으로 알리기"),
                "touch \(Directories.unseen(ProtectCommands.uid(of: account) ?? 0))x"
            ),
            Way(
                Speech.say("stop what holds its apps without that program", "그 프로그램 없이 앱을 멈추는 것을 끄기"),
                "systemctl --no-ask-password stop screentime-hold@$(id -u).path"
            ),
            Way(
                Speech.say("send signals to the programs of another account", "다른 계정의 프로그램에 신호를 보내기"),
                "loginctl --no-ask-password kill-user --signal=SIGCONT \(others.compactMap(\.account).first ?? "root")"
            ),
            Way(
                Speech.say("read what that program has not sent yet", "그 프로그램이 아직 보내지 않은 것을 읽기"),
                "ls \(Directories.stateOfAgents)"
            ),
            Way(
                Speech.say("leave the group whose logins ask", "로그인할 때 묻는 모임에서 나가기"),
                "gpasswd --delete $(id -un) \(LoginDoor.group)"
            ),
            Way(Speech.say("become the administrator", "관리자가 되기"), "sudo -n true"),
        ]
    }

    private func messages(_ uid: UInt32) -> [Way] {
        let program = "\(UserUnits.shippedBinaries)/screentime bus call"
        let run = Directories.run(ofAccount: uid)
        func ask(_ route: String, _ service: ServiceName, _ body: JSONValue) -> String {
            let text = ShellText.quoted(String(decoding: body.text, as: UTF8.self))
            return "\(program) \(route) \(text) --to \(service)"
        }
        var ways = [
            Way(
                Speech.say("become a guardian", "보호자가 되기"),
                ask(MemberAdd.name, .auth, ["name": "x", "role": "guardian"]),
                refusal: "access.guardian_only"
            ),
            Way(
                Speech.say("have the services run a program", "서비스가 프로그램을 실행하게 하기"),
                ask(AppInstall.name, .auth, ["bundle": "/tmp"]),
                refusal: "access.administrator_only"
            ),
            Way(
                Speech.say("lift a shield by its settings", "설정으로 가림막을 걷기"),
                ask(SettingsDelete.name, .shield, ["app": "screentime.rules", "stores": []]),
                refusal: "access.administrator_only"
            ),
            Way(
                Speech.say("take the place of the services", "서비스인 척하기"),
                "rm \(run)/\(ServiceName.auth)/\(Endpoint.rpc.rawValue)"
            ),
        ]
        guard let other = others.first else { return ways }
        let name = JSONValue.string(other.name)
        ways += [
            Way(
                Speech.say("count its time for \(other.name)", "자기 시간을 \(other.name) 님의 것으로 세기"),
                ask(
                    UsageObserve.name,
                    .activity,
                    ["agent": "x", "run": "x", "observations": [.object(["member": name])]]
                ),
                refusal: "access.agent_only"
            ),
            Way(
                Speech.say("read the day of \(other.name)", "\(other.name) 님의 하루를 읽기"),
                ask(ReportDay.name, .report, .object(["member": name])),
                refusal: "access.not_yours"
            ),
        ]
        guard let account = other.account, let otherUID = ProtectCommands.uid(of: account) else {
            return ways
        }
        let door = "\(Directories.run(ofAccount: otherUID))"
        ways.append(
            Way(
                Speech.say("go through the door of \(other.name)", "\(other.name) 님의 통로로 들어가기"),
                "SCREENTIME_RUN=\(door) \(program) member.list '{}' --to auth-service"
            )
        )
        return ways
    }
}
