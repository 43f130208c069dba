import Foundation

/// In a framework of the project, for the app and its extensions.
public enum PartsNote {
    nonisolated(unsafe) public static var count = 0
}
