import Testing

/// Tests of real processes: one after the other, because each of them wants the whole machine.
@Suite("The system", .serialized, .tellsLogs)
enum SystemSuite {}
