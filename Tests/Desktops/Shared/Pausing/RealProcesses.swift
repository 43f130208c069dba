import Testing

/// One after the other: some of these start processes as fast as they can, and others look at how long something takes.
@Suite("With real processes", .serialized)
enum RealProcesses {}
