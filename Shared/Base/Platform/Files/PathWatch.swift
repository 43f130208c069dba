import Glibc
import STCPlatform

/// The identity of the file at a path, to detect if another file replaces it.
package struct FileMark: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Fails if there is no file at the path.
    package init?(_ path: String) {
        var about = stat()
        guard lstat(path, &about) == 0 else { return nil }
        self.init(about)
    }

    package init?(_ descriptor: Int32) {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else { return nil }
        self.init(about)
    }

    /// The length of a file and a fingerprint of all its bytes. `nil` if it cannot be read.
    package static func content(of path: String) -> String? {
        let descriptor = OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        var bytes: Int64 = 0
        var hash: UInt64 = 0
        guard st_file_hash(descriptor.number, &bytes, &hash) == 0 else { return nil }
        return "\(bytes) \(hash)"
    }

    private init(_ about: stat) {
        device = UInt64(about.st_dev)
        inode = UInt64(about.st_ino)
    }
}

/// Wakes a loop when files are written, removed or replaced, or when the folders above them are.
///
/// Use it on the loop's own thread. The owner must examine the files itself, also once right after creating the watch, because
/// earlier changes do not wake the loop.
package final class PathWatch {
    private static let foldersMax = 4

    private weak var waiter: (any LoopWaiter)?
    /// `nil` if the kernel has no inotify instance left.
    private let descriptor: OwnedDescriptor?

    package init(_ files: [String], on waiter: any LoopWaiter, _ changed: @escaping () -> Void) {
        self.waiter = waiter
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        descriptor = number >= 0 ? OwnedDescriptor.inotify(number) : nil
        guard let descriptor else { return }
        for file in files { Self.add(file, to: descriptor.number) }
        waiter.watch(descriptor: descriptor.number) {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(number, &buffer, buffer.count) > 0 {}
            changed()
        }
    }

    private static func add(_ file: String, to watch: Int32) {
        // IN_MASK_ADD: adds to the events already watched in the folder for another file.
        let adding = UInt32(1) << 29
        inotify_add_watch(watch, file, adding | UInt32(IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF))
        var folder = file
        // Watch the parent folders as well: if one is renamed, the folders in it report nothing.
        for level in 0..<foldersMax {
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return }
            folder = String(folder[..<slash])
            let names = level == 0 ? IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO : 0
            inotify_add_watch(watch, folder, adding | UInt32(names | IN_DELETE_SELF | IN_MOVE_SELF))
        }
    }

    /// Waits until something happens or the time has elapsed.
    package func wait(withinMs: Int64) {
        if let descriptor { _ = Readiness.wait(descriptor.number, withinMs: withinMs) }
    }

    deinit {
        if let descriptor { waiter?.unwatch(descriptor: descriptor.number) }
    }
}
