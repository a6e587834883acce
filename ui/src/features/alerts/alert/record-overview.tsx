import { lazy, Suspense } from 'react';
import type { Widget } from '../../../design/markup/template/pieces.ts';
import { Loading } from '../../../design/states/loading.tsx';
import type { Alert } from '../triage/alert.ts';
import { ValueWithMenu } from './values/value-with-menu.tsx';

/** Loaded for alerts that have a template: its interpreter is large. */
const Overview = lazy(async () => ({
  default: (await import('../../../design/data/records/overview.tsx')).Overview,
}));

/** Draws an alert by a template in markdown, of an overview or a dossier. */
export function RecordOverview({ template, alert }: { readonly template: string; readonly alert: Alert }) {
  return (
    <Suspense fallback={<Loading />}>
      <Overview template={template} record={alert} renderWidget={drawWidget} />
    </Suspense>
  );
}

/** Draws values that the template names with their menu, which looks them up. */
function drawWidget(widget: Widget) {
  if (widget.kind === 'lookup') return <ValueWithMenu of={{ field: '', value: widget.value }} />;
  if (widget.kind !== 'lookups') return undefined;
  return widget.values.map((value) => <ValueWithMenu key={value} of={{ field: '', value }} />);
}
