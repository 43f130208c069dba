/// No member of the target: it would not compile.
final class NotYet: NotThereYet {}
