import Glibc
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Spawned processes")
struct SpawnedProcessTests {
    private let path = ["PATH": "/usr/bin:/bin"]

    private func shell(_ script: String, output: DescriptorPipe? = nil) -> SpawnPlan {
        SpawnPlan(
            executable: "/bin/sh",
            arguments: ["-c", script],
            environment: path,
            standardOutput: output?.writeEnd.number
        )
    }

    private func output(of plan: SpawnPlan, from pipe: DescriptorPipe) throws -> (
        String, STPlatform.ExitStatus?
    ) {
        let process = try SpawnedProcess(plan)
        let status = process.wait(deadlineMs: 10_000)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count =
            Readiness.wait(pipe.readEnd.number, withinMs: 1000) ? read(pipe.readEnd.number, &buffer, 4096) : 0
        return (String(decoding: buffer[..<max(0, count)], as: UTF8.self), status)
    }

    @Test("The exit status of a process is the same when it is read a second time")
    func exitStatus() throws {
        let process = try SpawnedProcess(shell("exit 7"))

        #expect(process.wait(deadlineMs: 10_000) == .exited(7))
        #expect(process.reap() == .exited(7))
        #expect(ExitStatus.exited(7).description == "exited with status 7")
    }

    @Test("SIGTERM ends a process even if the thread that started it blocks every signal")
    func cleanMask() throws {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let started = Result { try SpawnedProcess(SpawnPlan(executable: "/bin/sleep", arguments: ["60"])) }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        let process = try started.get()

        #expect(process.reap() == nil)
        #expect(process.wait(deadlineMs: 1) == nil)
        #expect(process.signal(SIGTERM))

        let status = process.wait(deadlineMs: 10_000)
        if status == nil { process.signal(SIGKILL) }
        #expect(status == .signaled(SIGTERM))
        #expect(status?.description == "ended by SIGTERM")
        #expect(!process.signal(SIGTERM))
        #expect(!process.signalGroup(SIGTERM))
    }

    @Test("A process leads a group that includes its children, and a signal to the group ends the leader")
    func group() throws {
        let pipe = try DescriptorPipe()
        let process = try SpawnedProcess(shell("/bin/sleep 60 & echo $!; wait", output: pipe))
        var buffer = [UInt8](repeating: 0, count: 32)
        let isThere = Readiness.wait(pipe.readEnd.number, withinMs: 10_000)
        let count = isThere ? read(pipe.readEnd.number, &buffer, 32) : 0
        let grandchild = try #require(Int32(String(decoding: buffer[..<max(0, count - 1)], as: UTF8.self)))

        #expect(getpgid(process.pid) == process.pid)
        #expect(getpgid(grandchild) == process.pid)
        #expect(process.signalGroup(SIGKILL))
        #expect(process.wait(deadlineMs: 10_000) == .signaled(SIGKILL))
    }

    @Test("A tethered process leads its own group and is killed when the thread that started it ends")
    func tethered() async throws {
        let loop = try LoopThread(name: "tether")
        let started = Mutex<SpawnedProcess?>(nil)
        let plan = SpawnPlan(
            executable: "/bin/sh",
            // It ignores TERM and HUP, and so does the program that replaces it.
            arguments: ["-c", "trap '' TERM HUP; exec /bin/sleep 60"],
            environment: path,
            isTethered: true
        )
        await withCheckedContinuation { continuation in
            loop.post {
                started.withLock { $0 = try? SpawnedProcess(plan) }
                continuation.resume()
            }
        }
        let process = try #require(started.withLock { $0 })
        #expect(process.wait(deadlineMs: 100) == nil)
        #expect(getpgid(process.pid) == process.pid)
        loop.stop()
        loop.join()

        #expect(process.wait(deadlineMs: 10_000) == .signaled(SIGKILL))
        #expect(throws: Problem.self) {
            try SpawnedProcess(SpawnPlan(executable: "/nowhere/at-all", isTethered: true))
        }
    }

    @Test("A process receives its plan's arguments, environment and directory, and not its parent's HOME")
    func surroundings() throws {
        let scratch = try ScratchDirectory()
        let pipe = try DescriptorPipe()
        var plan = SpawnPlan(
            executable: "/bin/sh",
            arguments: ["-c", "echo \"$1|$PWD|$WORD|$HOME\"", "sh", "two words"],
            environment: ["WORD": "a=b"],
            standardOutput: pipe.writeEnd.number
        )
        plan.workingDirectory = scratch.path

        let (text, status) = try output(of: plan, from: pipe)

        #expect(status == .exited(0))
        #expect(text == "two words|\(scratch.path)|a=b|\n")
    }

    @Test(
        "If a plan swaps two descriptors, output reaches the right pipe, and an unrelated one is not inherited"
    )
    func descriptors() throws {
        let first = try DescriptorPipe()
        let second = try DescriptorPipe()
        let unrelated = try DescriptorPipe()
        let numbers = (first.writeEnd.number, second.writeEnd.number, unrelated.writeEnd.number)
        var plan = shell(
            "echo one >&\(numbers.1); echo two >&\(numbers.0); test -e /proc/$$/fd/\(numbers.2) || echo none"
        )
        // dash does not support descriptors above 9.
        plan.executable = "/bin/bash"
        let output = try DescriptorPipe()
        plan.standardOutput = output.writeEnd.number
        plan.descriptors = [
            first.writeEnd.number: second.writeEnd.number,
            second.writeEnd.number: first.writeEnd.number,
        ]

        let (found, _) = try self.output(of: plan, from: output)

        var buffer = [UInt8](repeating: 0, count: 16)
        try #require(Readiness.wait(first.readEnd.number, withinMs: 5000))
        #expect(read(first.readEnd.number, &buffer, 16) == 4)
        #expect(String(decoding: buffer[..<4], as: UTF8.self) == "one\n")
        #expect(found == "none\n")
    }

    @Test("Each of 40 extra descriptors has the number that the plan assigns to it")
    func manyDescriptors() throws {
        let even = try DescriptorPipe()
        let odd = try DescriptorPipe()
        // Numbers just above the first free one, which the intermediate copies use too.
        let free = dup(0)
        close(free)
        let numbers = (free + 10)..<(free + 50)
        var plan = shell(
            "for n in $(seq \(numbers.lowerBound) \(numbers.upperBound - 1)); do echo $n >&$n; done"
        )
        plan.executable = "/bin/bash"
        for number in numbers {
            plan.descriptors[number] = number % 2 == 0 ? even.writeEnd.number : odd.writeEnd.number
        }

        #expect(try SpawnedProcess(plan).wait(deadlineMs: 10_000) == .exited(0))

        for (pipe, rest) in [(even, Int32(0)), (odd, 1)] {
            try #require(Readiness.wait(pipe.readEnd.number, withinMs: 5000))
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(pipe.readEnd.number, &buffer, 4096)
            let expected = numbers.filter { $0 % 2 == rest }.map { "\($0)\n" }.joined()
            #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self) == expected)
        }
    }

    @Test("A process leads a new session if its plan requests one")
    func session() throws {
        var plan = SpawnPlan(executable: "/bin/sleep", arguments: ["60"])
        plan.startsSession = true
        let process = try SpawnedProcess(plan)

        #expect(getsid(process.pid) == process.pid)

        process.signal(SIGKILL)
        #expect(process.wait(deadlineMs: 10_000) == .signaled(SIGKILL))
    }

    @Test("A child reads the end of its lifeline after its parent releases the process")
    func lifeline() throws {
        let pipe = try DescriptorPipe()
        var plan = shell("read line <&$SCREENTIME_LIFELINE_FD; echo ended", output: pipe)
        plan.hasLifeline = true
        var process: SpawnedProcess? = try SpawnedProcess(plan)
        #expect(process?.wait(deadlineMs: 20) == nil)

        process = nil

        // The exit status is not checked, because the start of another process may reap this one.
        try #require(Readiness.wait(pipe.readEnd.number, withinMs: 20_000))
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(read(pipe.readEnd.number, &buffer, buffer.count) == 6)
    }

    @Test("Starting a missing program fails with its path and advice to correct the path")
    func missing() {
        let problem = #expect(throws: Problem.self) {
            try SpawnedProcess(SpawnPlan(executable: "/nonexistent/program"))
        }
        #expect(problem?.code == "process.not_started")
        #expect(problem?.message.contains("/nonexistent/program") == true)
        #expect(problem?.message.contains("correct its path") == true)
    }

    @Test(
        "Starting a program that another child has open waits until it is closed, or fails as retryable",
        arguments: [0.3, 60]
    )
    func busy(heldSeconds: Double) throws {
        let scratch = try ScratchDirectory()
        let program = scratch.file("program")
        try AtomicFile.write(try AtomicFile.read("/bin/true", limitBytes: 10 << 20), to: program, mode: 0o755)
        var plan = SpawnPlan(executable: "/bin/sleep", arguments: [String(heldSeconds)])
        let holder: SpawnedProcess
        do {
            let writing = OwnedDescriptor(open(program, O_WRONLY | O_CLOEXEC))
            plan.descriptors[5] = writing.number
            holder = try SpawnedProcess(plan)
        }
        defer { holder.signal(SIGKILL) }

        let start = Result { () throws(Problem) in
            try SpawnedProcess(SpawnPlan(executable: program)).wait(deadlineMs: 20_000)
        }

        switch start {
        case .success(let ending): #expect(ending == .exited(0) && heldSeconds < 1)
        case .failure(let problem):
            #expect(
                heldSeconds > 1 && problem.retryable && problem.message.contains("Try again"),
                "\(problem)"
            )
        }
    }

    @Test("A process is not started if an argument contains a NUL byte")
    func nulByte() {
        let problem = #expect(throws: Problem.self) {
            try SpawnedProcess(SpawnPlan(executable: "/bin/echo", arguments: ["a\0b"]))
        }
        #expect(problem?.code == "process.bad_argument")
    }
}
