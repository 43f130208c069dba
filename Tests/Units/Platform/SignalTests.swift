import Glibc
import STPlatform
import Testing

@Suite("Signals")
struct SignalTests {
    @Test("A blocked signal is read once from the signal descriptor")
    func descriptor() throws {
        let signals = try SignalDescriptor([SIGUSR1])
        #expect(signals.next() == nil)

        // To this thread only, because in another thread the signal would end the test process.
        pthread_kill(pthread_self(), SIGUSR1)

        #expect(Readiness.wait(signals.descriptor, withinMs: 5000))
        #expect(signals.next() == SIGUSR1)
        #expect(signals.next() == nil)
    }

    @Test("Unblocking all signals unblocks SIGTERM")
    func unblock() {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)

        Signals.unblockAll()

        var after = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &after)
        #expect(sigismember(&after, SIGTERM) == 0)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    @Test("A signal without a name is shown by its number")
    func names() {
        #expect(Signals.name(SIGKILL) == "SIGKILL")
        #expect(Signals.name(99) == "signal 99")
    }
}
