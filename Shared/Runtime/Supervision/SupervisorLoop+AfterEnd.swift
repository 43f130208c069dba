import Glibc
import STPlatform

/// What is run once a service has ended, and before anybody is told so.
extension SupervisorLoop {
    func tidyUp(after service: SupervisedService, _ status: ExitStatus) {
        guard let afterEnd = service.spec.afterEnd else { return finishEnding(service, status) }
        do throws(Problem) {
            let pipe = try DescriptorPipe()
            try pipe.makeReadEndNonblocking()
            let plan = service.plan(afterEnd, directories: directories, output: pipe.writeEnd.number)
            let process = try SpawnedProcess(plan)
            service.cleaner = process
            service.output = pipe.readEnd
            watchOutput(of: service, pipe.readEnd)
            let timer = thread.after(milliseconds: afterEnd.deadlineMs) { process.signalGroup(SIGKILL) }
            thread.currentWaiter.watch(descriptor: process.pidfd.number) { [self] in
                tidied(service, process, status, timer)
            }
        } catch {
            // The service matters more: it must not stay down because of this.
            note("\(service.spec.name): nothing tidied up after it: \(error.message)")
            finishEnding(service, status)
        }
    }

    private func tidied(
        _ service: SupervisedService,
        _ process: SpawnedProcess,
        _ status: ExitStatus,
        _ timer: UInt64
    ) {
        guard service.cleaner === process, process.hasEnded else { return }
        process.signalGroup(SIGKILL)
        guard let ending = process.reap() else { return }
        thread.cancelTimer(timer)
        thread.currentWaiter.unwatch(descriptor: process.pidfd.number)
        service.cleaner = nil
        if let output = service.output {
            _ = readOutput(of: service, output, partsMax: 16)
            closeOutput(of: service)
        }
        let name = service.spec.afterEnd.map(\.executable) ?? ""
        if !ending.isSuccess { note("\(service.spec.name): \(name), which tidies up after it, \(ending)") }
        finishEnding(service, status)
    }
}
