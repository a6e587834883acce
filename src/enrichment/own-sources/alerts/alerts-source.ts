import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Config } from '../../../config/config.ts';
import type { InProcessSource } from '../../sources/in-process/in-process-source-client.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { ServiceClient, type ServiceClientDependencies } from '../../sources/service-client.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../../sources/source-client.ts';
import { type AlertLinks, alertEntry } from './alert-entry.ts';
import { ALERT_TYPES } from './alert-fields.ts';
import { AlertSearches } from './alert-searches.ts';
import { luceneQuery, querySize, type SoughtValue, soughtValue } from './sought-value.ts';

/** Characters of a link; longer ones are refused on their way. */
const MAX_LINK = 4_000;

interface AlertsSourceDependencies {
  readonly settings: Pick<Config, 'alerts' | 'enrichment'>;
  readonly engine: ClassificationEngine;
  readonly addressOf: ServiceClientDependencies['addressOf'];
}

/** Opens the source `alerts`: what alerts and cases hold of the values that are looked up. */
export function openAlertsSource({ settings, engine, addressOf }: AlertsSourceDependencies): OwnSource {
  const { url, obo_target: oboTarget } = settings.enrichment.alerts;
  const client = new ServiceClient({ service: 'alerts', url: url ?? '', oboTarget, addressOf });
  const searches = new AlertSearches(client);
  const links = linksTo(url ? url : (settings.alerts.public_url ?? undefined), client);
  const types = Object.fromEntries(ALERT_TYPES.map((type) => [type, engine.unrestricted]));

  async function lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall) {
    const answers: Answers = Object.create(null);
    const sought: SoughtValue[] = [];
    for (const selector of selectors) {
      const one = soughtValue(selector);
      if (one === undefined) continue;
      if (querySize(one).characters > searches.limits.characters)
        answerOf(answers, one, { items: [], error: TOO_LONG });
      else sought.push(one);
    }
    const clearance = call.caller.classification;
    for (const [one, records] of await searches.find(sought, call)) {
      const query = luceneQuery(one.places);
      answerOf(answers, one, { items: [alertEntry(records, { engine, clearance, flags, links, query })] });
    }
    return answers;
  }

  const source: InProcessSource = { types: () => types, lookup };
  return { name: 'alerts', reach: 'local', source, settings: { oboTarget }, close: () => client.close() };
}

const TOO_LONG = 'The value is too long for a search of alerts.';

/** By type, then by value: values may have any name, `__proto__` included. */
type Answers = Record<string, Record<string, unknown>>;

function answerOf(answers: Answers, { selector: { type, value } }: SoughtValue, answer: unknown): void {
  answers[type] ??= Object.create(null) as Record<string, unknown>;
  answers[type][value] = answer;
}

/** @param pages address of the web interface; undefined: links lead to the routes of the service */
function linksTo(pages: string | undefined, client: ServiceClient): AlertLinks {
  const page = (path: string) => (pages === undefined ? undefined : `${pages.replace(/\/+$/, '')}${path}`);
  return {
    search(query) {
      const asked = encodeURIComponent(query);
      const link =
        page(`/search?span=date.range.all&query=${asked}`) ?? apiLink(client, `/api/v1/search/hit?query=${asked}`);
      return link === undefined || link.length > MAX_LINK ? undefined : link;
    },
    alert: (id) => page(`/hits/${encodeURIComponent(id)}`) ?? apiLink(client, `/api/v1/hit/${encodeURIComponent(id)}`),
    case: (id) => page(`/cases/${encodeURIComponent(id)}`) ?? apiLink(client, `/api/v2/case/${encodeURIComponent(id)}`),
  };
}

function apiLink({ address }: ServiceClient, path: string): string | undefined {
  return address === undefined ? undefined : `${address}${path}`;
}
