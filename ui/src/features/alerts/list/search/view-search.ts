import type { components } from '../../../../api/generated/alerts.ts';
import type { AlertListParameters } from './alert-search.ts';

export type View = components['schemas']['View'];

/** The spans of the public interface (`date.range.1.month`) as ranges of ours. */
const SPAN = /^date\.range\.(\d+)\.(day|week|month|year)s?$/;
const UNITS: Readonly<Record<string, string>> = { day: 'd', week: 'w', month: 'M', year: 'y' };

/**
 * Returns the search of a view, for an address that names the view alone. What the address says itself
 * comes first.
 */
export function parametersOfView(view: View, own: AlertListParameters): AlertListParameters {
  return {
    q: view.query ?? undefined,
    sort: view.sort ?? undefined,
    span: spanOf(view.span),
    ...withoutUndefined(own),
  };
}

function spanOf(span: string | null | undefined): string | undefined {
  const [, count, unit = ''] = SPAN.exec(span ?? '') ?? [];
  return count === undefined ? undefined : `${count}${UNITS[unit]}`;
}

function withoutUndefined(parameters: AlertListParameters): AlertListParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}
