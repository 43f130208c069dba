import STPlatform

/// Whether the condition comes true in time; looked at every few milliseconds.
func eventually(withinMs: Int64 = 20_000, _ condition: () throws -> Bool) throws -> Bool {
    let deadline = Stopwatch.milliseconds() + withinMs
    let never = try Bell()
    while Stopwatch.milliseconds() < deadline {
        if try condition() { return true }
        _ = never.wait(withinMs: 20)
    }
    return try condition()
}
