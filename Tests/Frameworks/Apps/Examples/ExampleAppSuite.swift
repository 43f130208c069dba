import Testing

/// The example apps as real processes: one after the other, because each test wants the whole machine.
@Suite("The example apps", .serialized)
enum ExampleAppSuite {}
