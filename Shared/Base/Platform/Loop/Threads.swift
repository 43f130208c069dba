import Glibc
import STCPlatform
import Synchronization

/// Starts a named thread with all signals blocked, and returns once its preparation has run.
struct ThreadStart {
    private final class Box: @unchecked Sendable {
        // @unchecked: written before the thread exists, and then read only by that thread. `isReady` has its own lock.
        let name: String
        let prepare: () -> Void
        let body: () -> Void
        var lock = pthread_mutex_t()
        var condition = pthread_cond_t()
        var isReady = false

        init(name: String, prepare: @escaping () -> Void, body: @escaping () -> Void) {
            self.name = name
            self.prepare = prepare
            self.body = body
            pthread_mutex_init(&lock, nil)
            pthread_cond_init(&condition, nil)
        }

        deinit {
            pthread_cond_destroy(&condition)
            pthread_mutex_destroy(&lock)
        }
    }

    private let box: Box

    init(name: String, prepare: @escaping () -> Void, body: @escaping () -> Void) {
        box = Box(name: name, prepare: prepare, body: body)
    }

    func launch() throws -> pthread_t {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // A new thread inherits the mask, so set it here and restore it. The thread never runs with signals unblocked.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var handle = pthread_t()
        let result = pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument else { return nil }
                let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
                _ = st_thread_name(String(box.name.prefix(15)))
                box.prepare()
                pthread_mutex_lock(&box.lock)
                box.isReady = true
                pthread_cond_signal(&box.condition)
                pthread_mutex_unlock(&box.lock)
                box.body()
                return nil
            },
            Unmanaged.passRetained(box).toOpaque()
        )
        guard result == 0 else { throw SystemError.make("pthread_create", number: result) }
        pthread_mutex_lock(&box.lock)
        while !box.isReady { pthread_cond_wait(&box.condition, &box.lock) }
        pthread_mutex_unlock(&box.lock)
        return handle
    }
}

/// Checks if the stack of the thread that created it has room for another level of recursion.
///
/// For recursion into nested input from outside. The stack use of a level varies, so counting levels is not enough.
package struct ThreadStack {
    /// The number of bytes kept free for the calls at the lowest level.
    private static let reserve: UInt = 1024 * 1024
    /// Of a small stack, one part in this many is kept free.
    private static let part: UInt = 4

    private let lowest: UInt

    /// Measures the stack of the current thread. A stack of unknown size counts as unlimited.
    package init() {
        var start: UInt = 0
        var size: UInt = 0
        lowest = st_thread_stack(&start, &size) == 0 ? start + min(Self.reserve, size / Self.part) : 0
    }

    @inline(never)
    package var hasRoom: Bool {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) > lowest }
    }
}
