#ifndef REPORTS_H
#define REPORTS_H

// Whether this process was started for reports, and how it takes one of their calls.
int is_for_reports(void);
void take_report(const char *call, const char *id);

#endif
