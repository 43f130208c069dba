import Testing

/// Tests against real services: one after the other, because each of them wants the whole machine.
@Suite("Frameworks and services", .serialized)
enum ServicesSuite {}
