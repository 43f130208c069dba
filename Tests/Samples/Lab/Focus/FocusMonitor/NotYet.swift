This file is no code, and no member of the target.
