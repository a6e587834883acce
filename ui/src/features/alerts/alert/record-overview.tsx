import { Suspense } from 'react';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import type { Alert } from '../triage/alert.ts';

/** Loaded for alerts that have a template: its interpreter is large. */
const OverviewWithWidgets = lateComponent(
  async () => (await import('./widgets/record-widgets.tsx')).OverviewWithWidgets,
);

/** Draws an alert by a template in markdown, of an overview or a dossier. */
export function RecordOverview({ template, alert }: { readonly template: string; readonly alert: Alert }) {
  return (
    <Suspense fallback={<Loading />}>
      <OverviewWithWidgets template={template} alert={alert} />
    </Suspense>
  );
}
