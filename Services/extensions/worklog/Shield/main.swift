import ManagedSettingsUI

ExtensionMain.run { WorklogShield() }
