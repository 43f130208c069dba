import Counting
import ManagedSettings

final class PartsAction: ShieldActionDelegate {}
