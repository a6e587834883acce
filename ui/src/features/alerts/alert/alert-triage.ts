import type { Alert } from '../triage/alert.ts';
import type { Change } from '../triage/changes/changes.ts';
import { isAlone, targetOf } from '../triage/targets.ts';
import type { TriageControls, TriageDialog } from '../triage/use-triage.tsx';

/** The triage of the open alert alone; rows that are selected beside it do not count. */
export interface AlertTriage extends Pick<TriageControls, 'tools'> {
  readonly run: (change: Change) => void;
  readonly open: (dialog: TriageDialog) => void;
  /** True: the keys of triage are about this alert. */
  readonly hasKeys: boolean;
}

/** Returns the triage of an alert alone, by the controls of its page. */
export function alertTriage(alert: Alert, { selection, tools, run, open }: TriageControls): AlertTriage {
  const target = [targetOf(alert)];
  return {
    tools,
    run: (change) => run(change, target),
    open: (dialog) => open(dialog, target),
    hasKeys: isAlone(selection, alert.howler.id),
  };
}
