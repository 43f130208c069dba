/// Not a member of the target, because it would not compile.
final class NotYet: NotThereYet {}
