import Testing

/// Tests of real processes: one after the other, because each of them wants the whole machine.
@Suite("Shields and the extensions of apps", .serialized)
enum ShieldSuite {}
