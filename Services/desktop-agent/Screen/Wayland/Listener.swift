/// A table of functions in C's hands, for as long as the process lives.
enum Listener {
    static func keep<T>(_ listener: T) -> UnsafePointer<T> {
        let place = UnsafeMutablePointer<T>.allocate(capacity: 1)
        place.initialize(to: listener)
        return UnsafePointer(place)
    }
}
