import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

@testable import STCommandCore

/// A virtual machine: Debian's own kernel, with its own consoles, clock and sleep, and no network except for a root shell.
///
/// There is no hardware virtualisation, so each step takes five to ten times as long.
final class VirtualGround: MachineGround {
    private static let port = 22_022
    private static let packages = [
        "linux-image-amd64", "initramfs-tools", "zstd", "udev", "kmod", "xserver-xorg-core",
        "xserver-xorg-input-libinput", "flatpak", "x11-apps",
    ]
    /// `$1` is Debian, `$2` the folder of this machine, and `$3` the account of the emulator. The disk is complete before its
    /// first start.
    private static let disks = #"""
        set -eu
        mkdir "$2/changes" "$2/work" "$2/root"
        mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/changes,workdir=$2/work" "$2/root"
        cp "$(readlink -f "$2/root/vmlinuz")" "$2/vmlinuz" 2> /dev/null || cp "$2"/root/boot/vmlinuz-* "$2/vmlinuz"
        cp "$2"/root/boot/initrd.img-* "$2/initrd"
        cd "$2/root"
        echo computer > etc/hostname
        echo '127.0.0.1 localhost computer' > etc/hosts
        printf '/dev/vda / ext4 noatime 0 1\n/dev/vdb none swap sw 0 0\n' > etc/fstab
        printf '[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' > etc/systemd/network/one.network
        ln -sf /lib/systemd/system/systemd-networkd.service etc/systemd/system/multi-user.target.wants/
        ln -sf /dev/null etc/systemd/system/apt-daily.timer
        ln -sf /dev/null etc/systemd/system/apt-daily-upgrade.timer
        install -d -m 700 root/.ssh
        install -m 600 "$2/key.pub" root/.ssh/authorized_keys
        cd "$2"
        truncate -s 6G disk
        mke2fs -q -t ext4 -E lazy_itable_init=1,nodiscard -d root disk
        umount root
        rm -rf changes work root
        truncate -s 3G swap
        mkswap -q swap 2> /dev/null || mkswap swap > /dev/null
        chown -R "$3:$3" "$2"
        """#

    private let scratch: ScratchDirectory
    private let emulator: DebianRoot
    private let starter: DesktopStarter
    private var computer: SpawnedProcess?
    /// The pipe from which the emulator reads commands.
    private var monitor: OwnedDescriptor?
    private var connection: SpawnedProcess?

    init(_ scratch: ScratchDirectory) async throws {
        self.scratch = scratch
        starter = try DesktopStarter()
        emulator = try await DebianRoot.installed(
            "emulator",
            suite: "bookworm",
            packages: ["qemu-system-x86", "openssh-client"],
            size: "130 MB to download, 600 MB there"
        )
        let root = try await DebianRoot.installed(
            "virtual",
            suite: "bookworm",
            packages: Machine.base + PackageRootTests.desktop + Self.packages,
            size: "500 MB to download, 1.8 GB there"
        )
        let user = DesktopStarter.user
        chown(scratch.path, user, user)
        try inEmulator(["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", scratch.file("key")])
        let made = try ProgramRun.run(
            "/usr/bin/unshare",
            [
                "--mount", "--propagation", "private", "/bin/bash", "-c", Self.disks, "disks", root.path,
                scratch.path,
                "\(user)",
            ],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            timeout: .seconds(300)
        )
        guard made.status.isSuccess else { throw NotYet(made.output) }
    }

    private func inEmulator(_ words: [String]) throws {
        let all = emulator.within(scratch, words)
        let run = try ProgramRun.run(all[0], Array(all.dropFirst()), environment: [:], timeout: .seconds(60))
        guard run.status.isSuccess else { throw NotYet("\(words): \(run.output)") }
    }

    func start() throws { try start(hoursLater: 0) }

    func start(hoursLater: Int) throws {
        let commands = try DescriptorPipe()
        monitor = commands.writeEnd
        computer = try run(
            [
                "/usr/bin/qemu-system-x86_64", "-M", "q35,vmport=off", "-accel",
                "tcg,thread=multi,tb-size=512",
                "-cpu", "max", "-smp", "2", "-m", "2048", "-nodefaults", "-no-user-config", "-display",
                "none",
                "-vga", "std", "-rtc", "base=\(Self.clock(hoursLater: hoursLater))", "-monitor", "stdio",
                "-kernel", scratch.file("vmlinuz"), "-initrd", scratch.file("initrd"), "-append",
                "root=/dev/vda rw resume=/dev/vdb console=tty0 console=ttyS0 quiet systemd.show_status=0 mitigations=off "
                    + "nokaslr tsc=reliable",
                "-drive", "file=\(scratch.file("disk")),if=virtio,format=raw,cache=unsafe",
                "-drive", "file=\(scratch.file("swap")),if=virtio,format=raw,cache=unsafe",
                "-netdev", "user,id=n,restrict=on,hostfwd=tcp:127.0.0.1:\(Self.port)-:22",
                "-device", "virtio-net-pci,netdev=n", "-object", "rng-random,filename=/dev/urandom,id=r",
                "-device", "virtio-rng-pci,rng=r", "-serial", "file:\(scratch.file("console.log"))",
            ],
            input: commands.readEnd.number
        )
    }

    /// Starts a program that ends with this process.
    private func run(_ words: [String], input: Int32? = nil) throws -> SpawnedProcess {
        let words = emulator.within(scratch, ["/usr/bin/setpriv", "--pdeathsig", "KILL"] + words)
        return try starter.start(
            words[0],
            arguments: Array(words.dropFirst()),
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            descriptors: input.map { [0: $0] } ?? [:],
            log: log,
            asUser: false
        )
    }

    private var log: String { scratch.file("boot.log") }

    private static func clock(hoursLater: Int) -> String {
        if hoursLater == 0 { return "utc" }
        var time = time(nil) + hoursLater * 3_600
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private var shell: [String] {
        [
            "/usr/bin/ssh", "-i", scratch.file("key"), "-p", "\(Self.port)", "-S", scratch.file("way"), "-o",
            "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o",
            "ConnectTimeout=10", "-o", "ServerAliveInterval=60",
        ]
    }

    var isReady: Bool {
        get throws {
            guard let computer, computer.reap() == nil else { throw NotYet(ScratchDirectory.text(log)) }
            if connection?.reap() != nil { connection = nil }
            connection = try connection ?? run(shell + ["-M", "-N", "root@127.0.0.1"])
            return access(scratch.file("way"), F_OK) == 0
        }
    }

    func enter(_ words: [String]) -> [String] {
        let line = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
        return emulator.within(scratch, shell + ["-t", "root@127.0.0.1", line])
    }

    func stop() {
        connection?.signalGroup(SIGKILL)
        computer?.signalGroup(SIGKILL)
        _ = connection?.wait(deadlineMs: 10_000)
        _ = computer?.wait(deadlineMs: 10_000)
        (connection, computer, monitor) = (nil, nil, nil)
        unlink(scratch.file("way"))
    }

    /// Waits for the end after `systemctl hibernate`.
    func waitForEnd() async throws {
        try await eventually(within: .seconds(180), "the computer is off") {
            guard computer?.wait(deadlineMs: 0) != nil else { throw NotYet("it runs") }
        }
        stop()
    }

    /// Sends a command to the emulator, such as `system_wakeup`.
    func command(_ line: String) throws {
        guard let monitor, write(monitor.number, line + "\n", line.utf8.count + 1) > 0 else {
            throw SystemError.last("write")
        }
    }

    func waitForSleep() async throws {
        let said = ScratchDirectory.text(log).utf8.count
        try await eventually(within: .seconds(120), "the computer sleeps") {
            try command("info status")
            guard ScratchDirectory.text(log).utf8.dropFirst(said).contains("suspended".utf8) else {
                throw NotYet("awake")
            }
        }
    }

    func keepPicture(at path: String, of screen: Int) throws {
        let file = scratch.file("screen.ppm")
        try command("screendump \(file)")
        _ = try ProgramRun.run(
            "/bin/sh",
            ["-c", "sleep 3; convert \"$1\" \"$2\"", "sh", file, path],
            environment: ["PATH": "/usr/bin:/bin"],
            timeout: .seconds(30)
        )
    }
}
