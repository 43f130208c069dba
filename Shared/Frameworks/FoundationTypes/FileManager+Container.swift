public import Foundation

extension FileManager {
    /// The folder that an app shares with its extensions; it is there when this returns.
    ///
    /// Nil, with the reason in the log, when that cannot be the name of a group.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        do {
            guard let folder = try StateFolders.current?.group(groupIdentifier) else { return nil }
            return URL(filePath: folder, directoryHint: .isDirectory)
        } catch {
            FrameworkLog.storage.error("containerURL: \(error)")
            return nil
        }
    }
}
