import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

/// A computer whose services run under their own account, with a child, a guardian, systemd, logind and polkit, all real.
@Suite(
    "A protected computer",
    .serialized,
    .enabled(if: Machine.isWanted, "needs root: starts a Debian with systemd in namespaces")
)
struct ProtectRootTests {
    private static let passcode = "2468"

    /// `before` are people's actions with the package before the computer is protected. mum's Screen Time is then taken over.
    static func ready(
        _ machine: Machine,
        children: String = "ben",
        after before: ((Machine) async throws -> Void)? = nil
    ) async throws {
        try machine.run(
            "useradd --create-home --shell /bin/bash ben; useradd --create-home --shell /bin/bash mum"
        )
        try PackageRootTests.copy(try PackageRootTests.package(), to: "/root/screentime.deb", machine)
        try machine.run("\(PackageRootTests.installing) install /root/screentime.deb")
        try await before?(machine)
        let screen = try await Self.type(
            "screentime protect on --guardian mum --child \(children)\(before == nil ? "" : " --from mum")",
            machine,
            answering: ["New passcode for mum", "Repeat the passcode"]
        )
        #expect(screen.contains("no problems were found"), "\(screen)")
    }

    /// Returns the terminal's content after a command that asks for the passcode.
    @discardableResult
    static func type(
        _ script: String,
        _ machine: Machine,
        as account: String? = nil,
        answering questions: [String] = ["asscode"]
    ) async throws -> String {
        let terminal = try PseudoTerminal()
        let words = machine.words(script, account)
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/setsid",
                arguments: ["--ctty", "--wait"] + words,
                environment: ["TERM": "xterm"],
                standardOutput: terminal.number,
                standardError: terminal.number,
                descriptors: [0: terminal.number]
            )
        )
        for question in questions { try await terminal.answer(question, passcode, isHidden: true) }
        #expect(process.wait(deadlineMs: 60_000) == .exited(0), "\(terminal.screen)")
        return terminal.screen
    }

    static func isSeen(_ machine: Machine, _ account: String = "ben", by adapter: String = "x11") async throws
    {
        try await eventually(within: .seconds(60), "\(account)'s screen is observed") {
            let status = try machine.run("screentime status", as: account)
            guard status.contains("Observed by: \(adapter)") else { throw NotYet(status) }
        }
    }

    @Test(
        "A child's Wayland session is seen and shielded, a guardian keeps earlier data, and GNOME's part stays on",
        arguments: !TestScale.isSoak
            ? [Machine.Desktop.sway] : [.sway, .gnome]
    )
    func wayland(desktop: Machine.Desktop) async throws {
        let isGnome = desktop == .gnome
        let packages = PackageRootTests.desktop + (isGnome ? PackageRootTests.gnome : [])
        try await Machine.run(packages, named: isGnome ? "machine-gnome" : "machine") { machine in
            try await Self.ready(machine, after: Self.usePersonally)
            #expect(try machine.run("screentime rule list", as: "mum").contains("Mousepad"))
            #expect(try machine.run("screentime protect status").contains("guest"))
            try await machine.logIn("ben", to: desktop)
            try await Self.isSeen(machine, by: isGnome ? "gnome" : "wlroots")
            #expect(try machine.run("screentime protect status --json").contains("\"seen\": true"))
            if isGnome {
                for words in [
                    "gsettings set org.gnome.shell enabled-extensions '[]'",
                    "gsettings set org.gnome.shell disable-user-extensions true",
                    "DCONF_PROFILE=/dev/null dconf write /org/gnome/shell/enabled-extensions '@as []'",
                ] {
                    #expect(try !machine.attempt(words, as: "ben").status.isSuccess, "\(words)")
                }
            }
            try machine.run("screentime limit add mousepad 3s --member ben --then shield", as: "mum")
            try PackageRootTests.edit(machine, as: "ben")
            try await PackageRootTests.isHeld(machine, as: "ben")
        }
    }

    /// Sets up mum's personal Screen Time with a rule.
    private static func usePersonally(_ machine: Machine) async throws {
        try machine.run("useradd --create-home --shell /bin/bash guest")
        try await machine.logIn("mum", to: .openbox(10))
        try machine.run("screentime system enable", as: "mum")
        try await isSeen(machine, "mum")
        try machine.run("screentime limit add mousepad 1h --name hers", as: "mum")
        try machine.logOut("mum")
    }

    @Test(
        "A child's session is seen and shielded, a guardian decides from another account, and it stays protected"
    )
    func whole() async throws {
        try await Machine.run(PackageRootTests.desktop) { machine in
            try await Self.ready(machine)
            try await machine.logIn("ben")
            try await Self.isSeen(machine)

            try PackageRootTests.edit(machine, as: "ben")
            try await eventually(within: .seconds(60), "mum's report contains ben's usage") {
                let report = try machine.run("screentime report --member ben", as: "mum")
                guard report.contains("Mousepad") else { throw NotYet(report) }
            }
            try machine.run("screentime limit add mousepad 3s --member ben --then shield", as: "mum")
            try await PackageRootTests.isHeld(machine, as: "ben")
            try machine.keepPicture("protect-shield")

            try await ProtectedHousehold.use(machine)
            try Self.loosen(machine)
            try await Self.ask(machine)
            #expect(try machine.run("screentime protect check").contains("All attempts were blocked"))
            try Self.flood(machine)
            try await Self.misleadAgent(machine)
            try await Self.endAgent(machine)
            try await Self.closeLogin(machine)

            try await machine.restart()
            try await machine.logIn("ben")
            try await Self.isSeen(machine)
            try Self.slowAgent(machine)
            try PackageRootTests.edit(machine, as: "ben")
            try await PackageRootTests.isHeld(machine, as: "ben")
            try await Self.pauseAgent(machine)

            // An upgrade during the protection.
            try machine.run("\(PackageRootTests.installing) install --reinstall /root/screentime.deb")
            try await Self.isSeen(machine)
            try await PackageRootTests.isHeld(machine, as: "ben")

            try machine.run("screentime protect off --yes")
            #expect(try machine.attempt("pgrep -f /usr/lib/screentime/bin").output == "")
            #expect(try machine.attempt("ls /run/screentime").status.isSuccess == false)
            #expect(try !machine.run("cat /etc/pam.d/common-account").contains("screentime"))
            try machine.run("test -d /var/lib/screentime/activity-center")

            try machine.run("screentime protect on")
            try machine.run("\(PackageRootTests.installing) purge screentime")
            #expect(try machine.attempt("pgrep -f /usr/lib/screentime/bin").output == "")
            let left =
                "cat /etc/pam.d/common-account; ls /run /etc/systemd/system/* /usr/lib/systemd/system /usr/share/polkit-1/rules.d"
            #expect(try !machine.run(left).contains("screentime"))
        }
    }

    /// Attempts of a child with Screen Time's own commands.
    private static func loosen(_ machine: Machine) throws {
        let refused = [
            ("screentime rule remove Mousepad", "could record it"),
            ("screentime member set ben --role individual", "guardian"),
            ("screentime report --member mum", "their own"),
            ("screentime data backup /tmp/x", "administrator"),
        ]
        for (words, reason) in refused {
            let run = try machine.attempt(words, as: "ben")
            #expect(!run.status.isSuccess, "\(words): \(run.output)")
            #expect(run.output.firstMatch(of: try Regex(reason)) != nil, "\(words): \(run.output)")
        }
        #expect(try machine.run("screentime rule list", as: "ben").contains("Mousepad"))
    }

    /// Uses a real display manager: its greeter, and the session that it starts.
    @Test("A child logs in at the greeter, shows the agent no other display, and is refused in a downtime")
    func greeter() async throws {
        try await Machine.run(PackageRootTests.desktop) { machine in
            try await Self.ready(machine)
            try machine.run(Self.lightdm)
            try await Self.greeterIsThere(machine)
            try await Self.greet("ben", machine)
            try await machine.follow("ben", on: .openbox(0))
            try await Self.isSeen(machine)
            #expect(try !machine.run("loginctl list-sessions --no-legend | grep ben").isEmpty)

            try await Self.showAnotherDisplay(machine)

            let window = try machine.run("echo $(date -d '1 hour ago' +%H:%M)-$(date -d '2 hours' +%H:%M)")
            try machine.run(
                "screentime downtime add \(window.filter { !$0.isWhitespace }) --name night --member ben --then shield",
                as: "mum"
            )
            try await eventually("ben's login is closed") {
                guard try !machine.attempt("pamtester login ben acct_mgmt").status.isSuccess else {
                    throw NotYet("open")
                }
            }
            try machine.run("loginctl terminate-user ben")
            try await Self.greeterIsThere(machine)
            try await Self.greet("ben", machine)
            try await eventually("the greeter has refused it") {
                let log = try machine.run("cat /var/log/lightdm/lightdm.log")
                guard log.contains("Authenticate result for user ben: Authentication failure") else {
                    throw NotYet(log)
                }
            }
            // The reason was the account and not the passcode.
            let journal = try machine.run("journalctl --no-pager")
            #expect(!journal.contains("pam_unix(lightdm:auth): authentication failure"))
            let screen = try machine.run("\(Self.onGreeter) echo $DISPLAY").filter(\.isNumber)
            try machine.keepPicture("protect-greeter", of: Int(screen) ?? 0)
            #expect(try !machine.attempt("pgrep -u ben -x openbox").status.isSuccess)
            // A guardian can log in anyway.
            try machine.run("systemctl restart lightdm")
            try await Self.greeterIsThere(machine)
            try await Self.greet("mum", machine)
            _ = try await eventually("mum's desktop is there") { try machine.run("pgrep -u mum -x openbox") }
        }
    }

    /// Selects the present greeter, because each may have another display number.
    private static let onGreeter =
        "export DISPLAY=$(pgrep --newest --full --list-full '^Xvfb.*-auth' | cut -d' ' -f3); export XAUTHORITY=/run/lightdm/root/$DISPLAY;"

    /// Its X server is Xvfb without virtual consoles, because the machine has neither a screen nor consoles.
    private static let lightdm = #"""
        printf 'ben:ben-pass\nmum:mum-pass\n' | chpasswd
        echo 'XDG_VTNR DEFAULT= OVERRIDE=' >> /etc/security/pam_env.conf
        cat > /usr/local/bin/xserver <<'TEXT'
        #!/bin/sh
        display=$1
        while [ $# -gt 0 ]; do [ "$1" != -auth ] || auth=$2; shift; done
        # Without -noreset it restarts whenever its only client ends, such as the test that looks for the greeter.
        exec Xvfb $display -screen 0 1280x800x24 -auth $auth -nolisten tcp -noreset
        TEXT
        chmod +x /usr/local/bin/xserver
        cat > /etc/lightdm/lightdm.conf <<'TEXT'
        [LightDM]
        logind-check-graphical=false
        [Seat:*]
        type=local
        xserver-command=/usr/local/bin/xserver
        greeter-session=lightdm-gtk-greeter
        greeter-hide-users=true
        greeter-show-manual-login=true
        user-session=openbox
        TEXT
        systemctl start lightdm
        """#

    private static func greeterIsThere(_ machine: Machine) async throws {
        // systemd starts a display server, a greeter and its session first, in parallel with other computers.
        try await eventually(within: .seconds(300), "the greeter is there") {
            let words = "\(onGreeter) xdotool search --onlyvisible --class lightdm-gtk-greeter"
            let found = try machine.attempt(words)
            guard !found.status.isSuccess else { return }
            let logs = "ps -e -o pid,user,etimes,args; tail -n 60 /var/log/lightdm/*.log; loginctl"
            throw NotYet(try machine.attempt(logs).output)
        }
    }

    private static func greet(_ account: String, _ machine: Machine) async throws {
        try machine.run(
            """
            \(onGreeter)
            sleep 3; xdotool type \(account); xdotool key Return
            sleep 3; xdotool type \(account)-pass; xdotool key Return
            """
        )
    }

    /// Shows the agent a display that is not the login's. The login's display then counts as unobserved.
    private static func showAnotherDisplay(_ machine: Machine) async throws {
        try machine.run(
            """
            systemd-run --user --quiet --collect --unit other Xvfb :5 -screen 0 800x600x24 -nolisten tcp
            until DISPLAY=:5 xdotool getdisplaygeometry; do sleep 0.1; done
            systemctl --user set-environment DISPLAY=:5 DBUS_SYSTEM_BUS_ADDRESS=unix:path=/tmp/none XDG_SESSION_ID=c99
            systemctl --user unset-environment XAUTHORITY
            systemctl --user restart screentime-agent.service
            """,
            as: "ben"
        )
        try await eventually(within: .seconds(150), "the history reports it to the guardian") {
            let history = try machine.run("screentime history", as: "mum")
            guard history.contains("where Screen Time cannot observe it") else { throw NotYet(history) }
        }
        try machine.run(
            """
            systemctl --user stop other.service
            systemctl --user unset-environment DBUS_SYSTEM_BUS_ADDRESS XDG_SESSION_ID
            systemctl --user set-environment DISPLAY=:0 XAUTHORITY=$HOME/.Xauthority
            systemctl --user restart screentime-agent.service
            """,
            as: "ben"
        )
        try await isSeen(machine)
    }

    /// Sends a request to the guardian's desktop, where the guardian answers it.
    private static func ask(_ machine: Machine) async throws {
        try machine.run(
            """
            cd ~mum
            mkdir -p .config/dunst
            printf '[global]\\nwidth=560\\norigin=top-left\\nmouse_right_click=context\\ndmenu=/home/mum/choose\\n' \\
                > .config/dunst/dunstrc
            printf '#!/bin/sh\\nexec grep --max-count=1 Approve\\n' > choose
            chmod +x choose
            chown --recursive mum .config choose
            """
        )
        try await machine.logIn("mum", to: .openbox(10))
        try await isSeen(machine, "mum")
        try machine.run("screentime request add mousepad 15m --because chess", as: "ben")
        try await eventually("the request is on mum's desktop") {
            let shown = try machine.run("dunstctl count displayed", as: "mum")
            guard shown.hasPrefix("1") else {
                throw NotYet(shown + (try machine.run("screentime notification list", as: "mum")))
            }
        }
        try machine.keepPicture("protect-request", of: 10)
        try machine.run("xdotool mousemove 200 80 click 3", as: "mum")
        _ = try await eventually("mum is asked for her passcode") {
            try machine.run("xdotool search --onlyvisible --name 'Screen Time' windowfocus --sync", as: "mum")
        }
        try machine.keepPicture("protect-passcode", of: 10)
        try machine.run("xdotool type \(passcode); xdotool key Return", as: "mum")
        try await eventually("it is granted, and gone from mum's desktop") {
            let list = try machine.run("screentime request list; dunstctl count displayed", as: "mum")
            guard list.contains("granted"), list.hasSuffix("0\n") else { throw NotYet(list) }
        }
        try machine.run("screentime request revoke R1", as: "mum")
        // ben is at the computer again.
        try machine.logOut("mum")
        try machine.run("loginctl activate $(loginctl show-user ben --property Display --value)")
        try await PackageRootTests.isHeld(machine, as: "ben")
        #expect(try machine.run("screentime console --print", as: "mum").contains("http://127.0.0.1:"))
    }

    /// Checks that the account's own settings, variables and folders do not change the agent's reports.
    private static func misleadAgent(_ machine: Machine) async throws {
        try machine.run(
            """
            mkdir -p ~/.config/screentime && printf '[desktop-agent]\\nadapter = none\\n' > ~/.config/screentime/config
            systemctl --user set-environment SCREENTIME_DESKTOP_AGENT_ADAPTER=none SCREENTIME_STATE=/tmp/mine \\
                SCREENTIME_CLOCK=/tmp/clock LD_PRELOAD=/tmp/none.so
            systemctl --user restart screentime-agent.service
            """,
            as: "ben"
        )
        try await isSeen(machine)
        for words in [
            "ls /tmp/mine", "ls /var/lib/screentime-agents",
            "cat /proc/$(pgrep -u ben -x desktop-agent)/environ",
        ] {
            #expect(try !machine.attempt(words, as: "ben").status.isSuccess, "\(words)")
        }
        try machine.run(
            """
            rm -r ~/.config/screentime
            systemctl --user unset-environment SCREENTIME_DESKTOP_AGENT_ADAPTER SCREENTIME_STATE SCREENTIME_CLOCK LD_PRELOAD
            """,
            as: "ben"
        )
    }

    /// Checks the login. A downtime closes it, and more time opens it. Adults and other programs are not affected.
    private static func closeLogin(_ machine: Machine) async throws {
        func logsIn(_ account: String, by service: String = "login") throws -> Bool {
            try machine.attempt("pamtester \(service) \(account) acct_mgmt").status.isSuccess
        }
        #expect(try logsIn("ben"))
        let window = try machine.run("echo $(date -d '1 hour ago' +%H:%M)-$(date -d '2 hours' +%H:%M)")
        try machine.run(
            "screentime downtime add \(window.filter { !$0.isWhitespace }) --name night --member ben --then shield",
            as: "mum"
        )
        try await eventually("ben's login is refused with a message") {
            let run = try machine.attempt("pamtester login ben acct_mgmt")
            guard !run.status.isSuccess, run.output.contains("You cannot log in to this account until") else {
                throw NotYet("\(run)")
            }
        }
        for (account, service) in [("mum", "login"), ("root", "login"), ("ben", "sudo"), ("ben", "cron")] {
            #expect(try logsIn(account, by: service), "\(account) by \(service)")
        }
        // ben's session exists, so the greeter only unlocks it.
        #expect(try logsIn("ben", by: "lightdm"))
        #expect(try !logsIn("ben", by: "sshd"))

        try machine.run("systemctl kill --signal STOP screentime-auth-service.service")
        #expect(try logsIn("ben"), "a service that does not answer locks no account out")
        try machine.run("systemctl kill --signal CONT screentime-auth-service.service")
        let program = "/usr/lib/screentime/bin/screentime"
        try machine.run(
            "mv \(program) \(program).away; printf '#!/bin/sh\nkill -SEGV $$\n' > \(program); chmod 755 \(program)"
        )
        #expect(try logsIn("ben"), "a program that crashes locks no account out")
        try machine.run("mv \(program).away \(program)")
        try await eventually("it is closed again") {
            guard try !logsIn("ben") else { throw NotYet("open") }
        }
        try await type("screentime grant ben 30m", machine, as: "mum")
        #expect(try logsIn("ben"))
        try machine.run("screentime request revoke R2", as: "mum")
        try await eventually("it is closed again") {
            guard try !logsIn("ben") else { throw NotYet("open") }
        }
        try await type("screentime rule remove night", machine, as: "mum")
        #expect(try logsIn("ben"))
    }

    /// Gives the agent the lowest priority, in competition with programs that use the processor.
    private static func slowAgent(_ machine: Machine) throws {
        try machine.run(
            """
            pid=$(pgrep -u ben -x desktop-agent)
            chrt --idle --pid 0 $pid && renice --priority 19 $pid
            for each in 1 2 3 4; do timeout 20 sh -c 'while :; do :; done' > /dev/null 2>&1 & done
            """,
            as: "ben"
        )
    }

    /// Checks that a stopped agent is restarted.
    private static func pauseAgent(_ machine: Machine) async throws {
        for words in ["pkill -STOP -x desktop-agent", "systemctl --user freeze screentime-agent.service"] {
            let before = try machine.run("pgrep -u ben -x desktop-agent")
            try machine.run(words, as: "ben")
            try await eventually(within: .seconds(90), "another agent runs after \(words)") {
                let now = try machine.attempt("pgrep -u ben -x desktop-agent").output
                guard !now.isEmpty, now != before else { throw NotYet(now) }
            }
            try await isSeen(machine)
        }
        try await PackageRootTests.isHeld(machine, as: "ben")
    }

    /// Checks that the end of the agent is noticed, because it is the child's own process.
    private static func endAgent(_ machine: Machine) async throws {
        #expect(try machine.run("screentime protect on --unseen lock").contains("the screen is locked"))
        let locks =
            "timeout 200 busctl monitor --match type=signal,member=Lock,interface=org.freedesktop.login1.Session"
        try machine.run("systemd-run --quiet --collect --unit locks bash -c '\(locks) > /run/locks'")
        try machine.run("pkill -KILL -x desktop-agent", as: "ben")
        try await isSeen(machine)
        try machine.run("systemctl --user stop screentime-agent.service", as: "ben")
        try await eventually(within: .seconds(150), "the history reports it to the guardian") {
            let history = try machine.run("screentime history", as: "mum")
            guard history.contains("where Screen Time cannot observe it") else { throw NotYet(history) }
        }
        try await eventually("the screen is locked") {
            let said = try machine.run("cat /run/locks")
            guard said.contains("Member=Lock") else { throw NotYet(said) }
        }
        try machine.run("systemctl stop locks.service; screentime protect on --unseen count")
        try await standIn(machine)
        try machine.run("systemctl --user start screentime-agent.service", as: "ben")
        try await isSeen(machine)
        try await eventually("the stand-in has ended") {
            guard try !machine.attempt("pgrep -f 'protect hold'").status.isSuccess else {
                throw NotYet("it runs")
            }
        }
        try await PackageRootTests.isHeld(machine, as: "ben")
        // A console in addition to the observed desktop.
        try machine.run(
            "systemd-run --quiet --collect --unit console --uid ben --property PAMName=login "
                + "--setenv XDG_SEAT=seat0 --setenv XDG_SESSION_CLASS=user --setenv XDG_SESSION_TYPE=tty sleep infinity"
        )
        try await eventually(within: .seconds(150), "the history reports it to the guardian again") {
            let history = try machine.run("screentime history", as: "mum")
            guard history.matches(of: /Screen Time cannot observe/).count == 2 else { throw NotYet(history) }
        }
        try machine.run(
            "systemctl stop console.service; loginctl activate $(loginctl show-user ben --property Display --value)"
        )
    }

    /// Checks that without the agent, shielded apps stay paused, and that the child cannot end this.
    private static func standIn(_ machine: Machine) async throws {
        try machine.run("systemctl --user stop screentime-agent.service", as: "ben")
        let before = try await eventually(within: .seconds(150), "protect hold runs instead of the agent") {
            // Not one that is just ending because the agent was back for a moment.
            try machine.run("test -e \(Directories.observationGapFile(0).dropLast())$(id -u ben)")
            return try machine.run("pgrep -f 'protect hold'")
        }
        try await PackageRootTests.isHeld(machine, as: "ben")
        let unit = "screentime-hold@$(id -u).service"
        for words in ["stop \(unit)", "mask --runtime \(unit)"] {
            #expect(try !machine.attempt("systemctl --no-ask-password \(words)", as: "ben").status.isSuccess)
        }
        _ = try await eventually("protect hold is killed") {
            try machine.run("pkill -KILL -u ben -f 'protect hold'", as: "ben")
        }
        try await eventually("another protect hold runs") {
            let now = try machine.attempt("pgrep -f 'protect hold'").output
            guard !now.isEmpty, now != before else { throw NotYet(now) }
        }
        try await PackageRootTests.isHeld(machine, as: "ben")
    }

    /// Opens all the connections and sends all the requests that a child can. Others are served as before, and no service grows.
    private static func flood(_ machine: Machine) throws {
        try machine.run("cat > /tmp/wire.py <<'TEXT'\n\(program)\nTEXT\nchmod 644 /tmp/wire.py")
        let uids = try ["ben", "mum"].map {
            try machine.run("id -u \($0)").trimmingPrefix(" ").filter(\.isNumber)
        }
        let places = uids.map { "\(Directories.runOfAccounts)/\($0)" }
        func medianMs() throws -> Double {
            let times = try machine.run("python3 /tmp/wire.py ask \(places[1])", as: "mum")
            print("a request took \(times)")
            return try #require(times.split(separator: " ").lazy.compactMap { Double($0) }.first)
        }
        let quietMs = try medianMs()
        try machine.run(
            "systemd-run --quiet --collect --unit flood --uid ben python3 /tmp/wire.py flood \(places[0]) 20; sleep 2"
        )
        // The flood and the tests that run in parallel share the processors.
        #expect(try medianMs() < max(10, 20 * quietMs))
        let bytes = try machine.run(
            "for pid in $(pgrep -x 'account-door|auth-service'); do grep VmRSS /proc/$pid/status; done"
        )
        let sizes = bytes.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
        #expect(sizes.count == 3 && sizes.allSatisfy { $0 < 64 * 1_024 }, "\(bytes)")
        let ended = try machine.run(
            "systemctl show --property NRestarts --value screentime-auth-service.service"
        )
        #expect(ended.filter(\.isNumber) == "0")
        try machine.run("systemctl stop flood.service || true")
    }

    /// Implements ZeroMQ's wire protocol: `flood PLACE SECONDS`, or `ask PLACE`, which prints the p50 and p99 of 150 requests in
    /// ms.
    private static let program = #"""
        import json, os, select, socket, struct, sys, time
        def connect(path):
            s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(path)
            s.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32))
            ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER\x08Identity" + struct.pack(">I", 0)
            s.sendall(b"\x04" + bytes([len(ready)]) + ready)
            got = b""
            while len(got) < 64: got += s.recv(64 - len(got))
            frame(s)
            return s
        def exactly(s, n):
            b = b""
            while len(b) < n:
                part = s.recv(n - len(b))
                if not part: raise OSError("closed")
                b += part
            return b
        def frame(s):
            flags = exactly(s, 1)[0]
            size = struct.unpack(">Q", exactly(s, 8))[0] if flags & 2 else exactly(s, 1)[0]
            return flags, exactly(s, size)
        def request(number, route="member.list"):
            head = json.dumps({"v": 1, "id": str(number), "route": route}).encode()
            return b"\x01" + bytes([len(head)]) + head + b"\x00\x02{}"
        def ask(s, number):
            s.sendall(request(number))
            flags = 1
            while flags & 1: flags, body = frame(s)
            return body
        path = sys.argv[2] + "/auth-service/rpc"
        if sys.argv[1] == "ask":
            s = connect(path); times = []
            for number in range(150):
                start = time.monotonic(); ask(s, number); times.append((time.monotonic() - start) * 1000); time.sleep(0.02)
            times.sort(); print("p50 %.2f p99 %.2f" % (times[75], times[148]))
        else:
            end = time.monotonic() + float(sys.argv[3]); idle = []; busy = []
            while time.monotonic() < end:
                try:
                    while len(idle) < 900:
                        s = socket.socket(socket.AF_UNIX); s.settimeout(1); s.connect(path); idle.append(s)
                    while len(busy) < 8: busy.append(connect(path))
                    for s in list(busy):
                        try:
                            s.setblocking(False); s.send(b"".join(request(n) for n in range(50)))
                        except BlockingIOError: pass
                        except OSError: busy.remove(s)
                        try:
                            while s.recv(65536): pass
                        except OSError: pass
                except OSError:
                    idle = idle[:100]; time.sleep(0.01)
        """#
}
