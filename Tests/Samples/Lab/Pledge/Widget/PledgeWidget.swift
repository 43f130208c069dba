import WidgetKit

struct PledgeWidget {}
