import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// A program that opens connections to a port of this machine, from several addresses, and keeps them.
private struct DoorFlood {
    /// Opens connections from several addresses of this machine as fast as it can. Sends one byte on each connection every half
    /// second, and prints how many connections are left.
    private static let script = """
        import errno, select, socket, sys, time
        port, count, addresses, text = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), bytes.fromhex(sys.argv[4])
        opened, ended = 0, 0
        poll = select.epoll()
        held = {}
        def sweep(wait):
            global ended
            for number, _ in poll.poll(wait, 1000):
                try:
                    if held[number].recv(4096): continue
                except BlockingIOError: continue
                except OSError: pass
                poll.unregister(number)
                held.pop(number).close()
                ended += 1
        while opened < count:
            peer = socket.socket(socket.AF_INET)
            peer.setsockopt(socket.IPPROTO_IP, 24, 1)
            peer.bind(("127.0.9.%d" % (opened % addresses + 1), 0))
            peer.setblocking(False)
            if peer.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS): continue
            opened += 1
            held[peer.fileno()] = peer
            poll.register(peer.fileno(), select.EPOLLIN | select.EPOLLRDHUP)
            if opened % 50 == 0: sweep(0)
        print("opened", opened, flush=True)
        until = time.time() + 600
        while time.time() < until:
            sweep(0.5)
            for number in list(held):
                try: held[number].send(text[:1])
                except OSError: pass
            text = text[1:] or text
            print("held", len(held), "ended", ended, flush=True)
        """

    /// The output files of two processes. Each opens half of the connections, because a system may limit a process to
    /// 20,000 descriptors.
    private let outputs: [String]
    private let half: Int
    private let port: UInt16

    /// `text`: the first bytes that a client of that port sends, in hexadecimal.
    init(_ system: TestSystem, port: UInt16, _ count: Int, text: String) throws {
        let half = count / 2
        self.half = half
        self.port = port
        try system.scratch.write(Self.script, to: "flood.py")
        let script = system.scratch.file("flood.py")
        outputs = try (1...2).map { number in
            let output = system.scratch.file("flood-\(port)-\(number)")
            let file = OwnedDescriptor(open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
            let words = [
                "--nofile=\(half + 100)", "--", "/usr/bin/python3", script, "\(port)", "\(half)", "20", text,
            ]
            let flood = try SpawnedProcess(
                SpawnPlan(
                    executable: "/usr/bin/prlimit",
                    arguments: words,
                    standardOutput: file.number,
                    standardError: file.number
                )
            )
            system.atEnd { flood.signalGroup(SIGKILL) }
            return output
        }
    }

    func isOver() async throws {
        _ = try await eventually(within: .seconds(120), "the port has closed all connections") {
            for output in outputs {
                let text = ScratchDirectory.text(output)
                guard text.contains("opened \(half)") else { throw NotYet(String(text.suffix(200))) }
            }
            guard openAtPort == 0 else { throw NotYet("\(openAtPort) connections are open") }
        }
    }

    /// The number of the flood's connections that the kernel has completed at the port. If the port's queue is full, the flood's
    /// own count can be higher.
    private var openAtPort: Int {
        let digits = String(port, radix: 16, uppercase: true)
        let local = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return ScratchDirectory.text("/proc/net/tcp").split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            // The flood's addresses begin with 127.0.9, and 01 is the state of an open connection.
            return words.count > 3 && words[1].hasSuffix(local) && words[2].contains("09007F:")
                && words[3] == "01"
        }
    }
}

extension HouseholdSuite {
    @Suite("Idle connections from the network")
    struct DoorFloodTests {
        @Test("Idle connections from the network stop no service and block no machine of the household")
        func machines() async throws {
            let count = TestScale.count(9_000, soak: 20_000, fast: 2_000)
            try await TestSystem.run(services: HouseholdDesk.services + [.household]) { hub in
                let desk = try await HouseholdDesk.start(hub)
                let port = desk.port
                try await TestSystem.run(services: HouseholdDesk.services) { laptop in
                    try await desk.join(laptop)
                    let pid = try hub.pid(.household)
                    let before = try RawConnection.p50Us { try RawConnection(port: port) }
                    // The beginning of ZeroMQ's greeting.
                    let flood = try DoorFlood(hub, port: port, count, text: "ff00000000000000017f")
                    let during = try RawConnection.p50Us { try RawConnection(port: port) }
                    try await flood.isOver()
                    #expect(try hub.pid(.household) == pid)
                    try await eventually(within: .seconds(20), "the laptop is still connected") {
                        let shown = try await laptop.client.call(LinkShow.self, Empty())
                        guard shown.isConnected else { throw NotYet("\(shown)") }
                    }
                    print(
                        "\(count) idle connections of machines: p50 \(before) µs before, \(during) µs during"
                    )
                    #expect(during < (TestScale.isSoak ? 10_000 : 2_000_000))
                }
            }
        }
    }
}

extension ConsolePageTests {
    @Suite("Idle connections to the port for phones")
    struct PhoneFloodTests {
        /// An approved phone sends two requests over one connection. Between them it waits until a file exists.
        private static let phone = """
            import http.client, os, ssl, sys, time
            address, jar, file = sys.argv[1:4]
            cookie = [line.split("\\t")[5:7] for line in open(jar) if "__Host-phone" in line][0]
            context = ssl._create_unverified_context()
            host, port = address.split(":")
            phone = http.client.HTTPSConnection(host, int(port), context=context, timeout=20)
            for turn in range(2):
                while turn and not os.path.exists(file): time.sleep(0.05)
                phone.request("GET", "/all", headers={"Cookie": "=".join(cookie).strip()})
                reply = phone.getresponse()
                reply.read()
                if turn == 0: first = phone.sock
                print(reply.status, phone.sock is first, flush=True)
            """

        @Test("Idle connections to the port for phones are closed, and an approved phone stays connected")
        func slow() async throws {
            try await Phone.withKid { desk, laptop, _, address in
                let scratch = laptop.scratch
                let made = try await Phone.link(desk, address)
                let here = "https://\(address)"
                let key = "{\"key\":\"\(made.link.split(separator: "#").last ?? "")\"}"
                let jar = scratch.file("jar")
                let pair = [
                    here + "/pair", "--cookie-jar", jar, "--header", "Origin: \(here)", "--data", key,
                ]
                #expect(try Phone.curl(scratch, pair).status == 200)
                try scratch.write(Self.phone, to: "phone.py")
                let output = scratch.file("phone-output")
                let file = OwnedDescriptor(open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
                let phone = try SpawnedProcess(
                    SpawnPlan(
                        executable: "/usr/bin/python3",
                        arguments: [scratch.file("phone.py"), address, jar, scratch.file("again")],
                        standardOutput: file.number,
                        standardError: file.number
                    )
                )
                try await eventually("the phone has received its first reply") {
                    guard ScratchDirectory.text(output).contains("200 True") else {
                        throw NotYet(ScratchDirectory.text(output))
                    }
                }
                let port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
                let count = TestScale.count(1_000, soak: 20_000, fast: 1_000)
                // The beginning of a TLS record.
                let flood = try DoorFlood(desk.hub, port: port, count, text: "160301020001000100")
                let start = Stopwatch.milliseconds()
                for _ in 0..<5 { #expect(try Phone.curl(scratch, [here + "/"]).status == 200) }
                let askedMs = (Stopwatch.milliseconds() - start) / 5
                try scratch.write("", to: "again")
                #expect(phone.wait(deadlineMs: 30_000) == .exited(0))
                #expect(ScratchDirectory.text(output) == "200 True\n200 True\n")
                try await flood.isOver()
                print("with \(count) slow connections a new phone gets its page in \(askedMs) ms")
                #expect(askedMs < 5_000)
            }
        }
    }
}
